"""A setting that chooses some of many things, in groups: every page's figures."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pages.kit.text import Label

ALL, NONE = "all", "none"


@dataclass(frozen=True)
class Subset:
    """Some members of named groups. Its value is a text: "all", "none", or groups and members with commas between.

    A group stands for all of its members: ``rope,order.weights``. Their order counts, so it can be chosen.

    Attributes:
        name: Of the setting.
        label: Of the setting.
        groups: Group and its members, in order.
    """

    name: str
    label: Label
    groups: tuple[tuple[str, tuple[str, ...]], ...]
    longest: int = 1_000
    """Characters of a value."""

    default = ALL

    def parse(self, written: str) -> str | None:
        """The text if it names only what there is, each once; else None."""
        names = written.split(",")
        is_known = written in (ALL, NONE) or all(self._known(name) for name in names)
        return written if is_known and len(set(names)) == len(names) else None

    def unknown(self, written: str) -> str | None:
        """The first name in the text that is neither a group nor a member, or None."""
        return next((name for name in written.split(",") if not self._known(name)), None)

    def allowed(self, value: object) -> str:
        """The value itself if it names only what there is, else all."""
        return (self.parse(value) if isinstance(value, str) else None) or self.default

    def chosen(self, value: str) -> dict[str, tuple[str, ...]]:
        """Group -> its chosen members, in the order of the value; groups without any are left out."""
        whole = dict(self.groups)
        if value == NONE:
            return {}
        found: dict[str, list[str]] = {}
        for name in whole if value == ALL else value.split(","):
            group, _, member = name.partition(".")
            members = found.setdefault(group, [])
            members += [entry for entry in ([member] if member else whole[group]) if entry not in members]
        return {group: tuple(members) for group, members in found.items()}

    def written(self, chosen: Mapping[str, Iterable[str]]) -> str:
        """The shortest value that stands for the chosen members, in the setting's own order."""
        parts: list[str] = []
        for group, members in self.groups:
            some = [member for member in members if member in set(chosen.get(group, ()))]
            parts += [group] if some == list(members) else [f"{group}.{member}" for member in some]
        if parts == [group for group, _ in self.groups]:
            return ALL
        return ",".join(parts) or NONE

    def _known(self, name: str) -> bool:
        group, _, member = name.partition(".")
        members: Sequence[str] = dict(self.groups).get(group, ())
        return bool(members) and (member in members if "." in name else True)
