"""Files made of what is on screen: pictures, numbers, slides, code."""
