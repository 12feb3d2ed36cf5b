"""The figures of all pages: which there are, and those that somebody wants, each at a state."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from pages.kit.figure import Figure
from pages.kit.record import Recorder, record
from pages.kit.subset import Subset
from pages.kit.text import Label

FIGURES = Label(zh="图", en="figures")
MAIN = Label(zh="主图", en="main figure")


@lru_cache(maxsize=4)
def catalogue(folders: tuple[str, ...]) -> dict[str, dict[str, Label]]:
    """Page -> its figures' names -> what each is called within the page: the heading that it stands under."""
    return {
        folder: {one.name: one.heading or MAIN for one in _by_importance(record(folder, "en"))} for folder in folders
    }


def all_figures(folders: Sequence[str]) -> Subset:
    """The setting that chooses among the figures of these pages."""
    groups = tuple((folder, tuple(names)) for folder, names in catalogue(tuple(folders)).items())
    return Subset("figures", FIGURES, groups)


def collect(
    chosen: Mapping[str, Sequence[str]], lang: str, written: Mapping[str, str], *, is_strict: bool
) -> list[Figure]:
    """The chosen figures, in the order chosen.

    Args:
        chosen: Page -> names of its figures.
        lang: "zh" or "en".
        written: Values of settings as an address has them.
        is_strict: Whether a value that its setting can't have is refused, and a setting that no chosen page has.

    Raises:
        ValueError: It is, and there is one.
    """
    pages = [record(folder, lang, written, is_strict=is_strict) for folder in chosen]
    known = list(dict.fromkeys(name for page in pages for name in page.settings))
    unknown = [name for name in written if name not in known]
    if is_strict and unknown:
        raise ValueError(f"a setting must be one of the chosen pages' ({', '.join(known)}), got {unknown[0]!r}")
    return [one for page, names in zip(pages, chosen.values(), strict=True) for one in _named(page, names)]


def _named(page: Recorder, names: Sequence[str]) -> list[Figure]:
    figures = [one for one in _by_importance(page) if one.name in names]
    return sorted(figures, key=lambda one: names.index(one.name))


def _by_importance(page: Recorder) -> list[Figure]:
    """The page's figures, the one beside its settings first."""
    return sorted(page.figures, key=lambda one: bool(one.section))
