"""How much work a claim may ask for."""

POSITIONS = 4096
SQUARED = 2048
"""Positions where all are compared with all."""
WIDTH = 2048
LEAST_SQUARES_WIDTH = 512
SHIFT = 10**9
ATTENDED = 512
"""Tokens, and width of embeddings, where whole layers of attention run."""
