"""Where a page stands on the server."""

from collections.abc import Mapping
from urllib.parse import urlencode

FIRST = "home"
"""The concept whose page is at the site's own address."""


def place(concept: str) -> str:
    """The concept's path below the site's own address."""
    return "" if concept == FIRST else concept


def path(concept: str, state: Mapping[str, str]) -> str:
    """The path of the concept's page with settings as an address has them."""
    return f"/{place(concept)}?{urlencode(state)}"
