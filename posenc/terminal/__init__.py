"""posenc in a terminal: the lesson as text, and every claim checked. ``python -m posenc --help`` says how."""
