"""What a page says only on its own screen: in a lecture and in a recording nobody hears it."""

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence

from pages.kit.concept import Card, Path
from pages.kit.spec import Draw
from pages.kit.text import Label


class Silence:
    """Methods of ``frame.Page`` that show nothing."""

    def picture(self, draw: Draw, *, alt: Label, **inputs: Hashable) -> None:
        """It only leads somewhere else."""

    def reasons(self) -> None:
        """The prose is read where it is needed."""

    def note(self, text: str) -> None:
        """Nothing is shown."""

    def table(self, columns: Mapping[str, Sequence[str]], *, words: Collection[str] = ()) -> None:
        """Nothing is shown."""

    def predict(self, options: Sequence[Label], right: int, reveal: Callable[[], None] | None = None) -> None:
        """Nobody is asked."""

    def listing(self, code: str) -> None:
        """Nothing is shown."""

    def download(self, label: Label, text: str, file_name: str) -> None:
        """Nothing is offered."""

    def cards(self, shown: Sequence[Card]) -> None:
        """They lead elsewhere."""

    def paths(self, *paths: Path) -> None:
        """They lead elsewhere."""
