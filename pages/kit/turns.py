"""Runs of pages take turns: at the same time they would only take the interpreter away from one another.

200 visitors who come at the same moment are then answered one after the other, half of them in half of the time,
instead of all of them at the end. A run takes 10 to 100 ms, and the connections are served beside it.
"""

import threading

AT_ONCE = 1
"""Runs under way at the same time."""

TURNS = threading.BoundedSemaphore(AT_ONCE)
"""To be held by whoever draws a page or a part of one. A part drawn with its page is within the page's turn.

A semaphore and not a lock, since it lets those who wait pass in the order in which they came.
"""
