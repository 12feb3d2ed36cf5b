"""What a server does before its first visitor."""


def warm_up() -> None:
    """Import what the pages need; torch is not among it."""
    import altair  # noqa: F401
    import numpy  # noqa: F401
    import pandas  # noqa: F401
    import pyarrow  # noqa: F401

    import posenc  # noqa: F401
