"""What a concept is to the app: its folder, its place in the navigation, the card that it is shown by."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field

from pages.kit.spec import Draw
from pages.kit.text import Label


@dataclass(frozen=True)
class Group:
    """A heading of the navigation."""

    label: Label


@dataclass(frozen=True)
class Concept:
    """A page: its folder (which is its address), its group, its icon, and whether it computes with torch."""

    folder: str
    group: Group
    icon: str
    uses_torch: bool = False


@dataclass(frozen=True)
class Card:
    """What a page is shown by.

    Attributes:
        concept: Its folder; the section of that name in the prose says in a line what it is about.
        draw: Its small picture, a still figure.
        alt: What the picture shows.
        inputs: Of the picture.
    """

    concept: str
    draw: Draw
    alt: Label
    inputs: Mapping[str, Hashable] = field(default_factory=dict)


@dataclass(frozen=True)
class Path:
    """A way to begin.

    Attributes:
        section: Of the prose: for whom it is.
        heading: Above it.
        link: What the link says.
        concept: The page that it leads to.
        state: Of that page's settings.
    """

    section: str
    heading: Label
    link: Label
    concept: str
    state: Mapping[str, Hashable] = field(default_factory=dict)
