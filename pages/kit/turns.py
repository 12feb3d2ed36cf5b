"""Runs of pages take turns: all at once they would only take the interpreter away from one another.

200 visitors who come at the same moment are then answered one after the other, half of them in half of the time,
instead of all of them at the end.
"""

import threading

AT_ONCE = 2
"""Runs under way at the same time: one computes while the other is in NumPy or torch, or waits to be sent."""

TURNS = threading.BoundedSemaphore(AT_ONCE)
"""To be held by whoever draws a page or a part of one. A part drawn with its page is within the page's turn."""
