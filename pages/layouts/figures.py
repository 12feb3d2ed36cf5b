"""Layouts: tiles that travel from one order of channels to the other, each with the number it carries."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from pages.kit.figure import Numbers, columns
from pages.kit.marks import handle
from pages.kit.settings import Whole
from pages.kit.text import CONCATENATED, INTERLEAVED, PAIR, PAIR_HALVES, PAIR_NEIGHBOURS, Label, number
from pages.kit.theme import INK, POSITION, QUIET, SMALL_TYPE
from posenc import Conversion

PROGRESS = Whole("progress", Label(zh="重排进度", en="reorder"), 0, 60, 0)
FRAMES = range(PROGRESS.maximum + 1)
NAMES = {
    ("rope", "interleaved"): PAIR_NEIGHBOURS,
    ("rope", "half"): PAIR_HALVES,
    ("sinusoid", "interleaved"): INTERLEAVED,
    ("sinusoid", "half"): CONCATENATED,
}
FROM = Label(zh="{name}，位置 {position}", en="{name}, position {position}")
TO = Label(zh="{name}：这一行数直接按这种排列算出", en="{name}: this row of numbers was computed in this order")
CHANNEL = Label(zh="原来的维度", en="channel before")
ENTERS = {"rope": Label(zh="旋转前", en="before turning"), "sinusoid": Label(zh="角度", en="angle")}
CARRIES = {"rope": Label(zh="旋转后", en="after turning"), "sinusoid": Label(zh="编码", en="encoding")}
INDEX = "₀₁₂₃₄₅₆₇"


@dataclass(frozen=True)
class Plan:
    """Where things stand. Rows of channels run along one axis; tiles travel across, in pixels on the other."""

    narrow: bool
    width: int

    @property
    def size(self) -> dict[str, int]:
        """Pixels of the figure; a wide one takes its column's width."""
        return {"width": 280, "height": 34 * self.width + 60} if self.narrow else {"height": self.reach}

    @property
    def reach(self) -> int:
        return 280 if self.narrow else 372

    @property
    def rows(self) -> tuple[int, int]:
        """Middles of the tiles at the start and at the end."""
        return (54, 206) if self.narrow else (72, 276)

    @property
    def tile(self) -> tuple[float, float]:
        """Half a tile: along in channels, across in pixels."""
        return (0.42, 37) if self.narrow else (0.43, 31)

    @property
    def bulge(self) -> float:
        """Pixels by which the two members of a pair part on the way."""
        return 26 if self.narrow else 40

    def at(self, along: str, across: str, *ends: str) -> dict[str, Any]:
        """Channels for the fields: along and across, and their far ends if there are."""
        head = 1.3 if self.narrow else 0.0
        span = [self.width - 0.4, -0.6 - head] if self.narrow else [-0.55, self.width - 0.45]
        x, y = (across, along) if self.narrow else (along, across)
        scales = [0, self.reach] if self.narrow else span, span if self.narrow else [self.reach, 0]
        channels: dict[str, Any] = {
            name: kind(f"{field}:Q", axis=None, scale=alt.Scale(domain=list(domain), nice=False))
            for name, kind, field, domain in zip(("x", "y"), (alt.X, alt.Y), (x, y), scales, strict=True)
        }
        if ends:
            channels |= dict(zip(("y2", "x2") if self.narrow else ("x2", "y2"), ends, strict=True))
        return channels

    def line(self, step: int) -> dict[str, float]:
        """Offset of a tile's first (-1), middle (0) or last (1) text."""
        return {"dx": 30 * step} if self.narrow else {"dy": 18 * step}


def permutation(
    converted: Conversion, *, position: int, encoding: str, source: str, target: str, lang: str, narrow: bool
) -> alt.TopLevelMixin:
    """Channels on their way to the target's order; each arrives at the same number, computed there.

    Args:
        converted: What ``posenc.conversion`` gives for these settings.
        position: Where the vector stands.
        encoding: "rope" or "sinusoid".
        source: Order at the start: "interleaved" or "half".
        target: Order at the end.
        lang: "zh" or "en".
        narrow: For a phone.
    """
    plan = Plan(narrow, len(converted.order))
    tiles, progress = _tiles(converted, encoding), handle(PROGRESS, lang)
    on = "pointerover[event.item && event.item.datum && event.item.datum.pair >= 0]"
    hover = alt.selection_point(name="hover", fields=["pair"], on=on, clear="pointerout")
    frames = _frames(tiles, plan)
    names = [NAMES[encoding, order](lang) for order in (source, target)]
    heads = [
        FROM(lang).format(name=names[0], position=position),
        (names[1] if narrow else TO(lang).format(name=names[1])),
    ]
    layers = [
        *_places(tiles, plan, heads),
        _paths(frames, plan, hover),
        *_travelling(frames, tiles, plan, progress, hover, encoding, lang),
    ]
    return alt.layer(*layers).properties(**plan.size)


def channels(converted: Conversion) -> Numbers:
    """A row a channel of the source: what enters it, what it carries, its place in the target and the number there."""
    place = np.argsort(converted.order)
    return columns(
        "channel",
        range(len(place)),
        given=converted.given,
        value=converted.before,
        new_channel=place,
        value_there=converted.after[place],
    )


def _tiles(converted: Conversion, encoding: str) -> pd.DataFrame:
    """One row a channel of the source: its pair, the texts on its tile, and where it goes."""
    width = len(converted.order)
    pair, member = np.empty(width, dtype=int), np.empty(width, dtype=int)
    pair[converted.members] = np.arange(width // 2)[:, None]
    member[converted.members] = (0, 1)
    end = np.empty(width, dtype=int)
    end[converted.order] = np.arange(width)
    is_rope = encoding == "rope"
    given = [number(x, 0) for x in converted.given] if is_rope else [("sin", "cos")[m] for m in member]
    return pd.DataFrame(
        {
            "channel": range(width),
            "pair": pair,
            "member": member,
            "end": end,
            "shade": 0.6 - 0.5 * pair / max(1, width // 2 - 1),
            "name": [f"{'θ' if is_rope else 'ω'}{INDEX[i]}" for i in pair],
            "given": given,
            "enters": converted.given,
            "value": converted.before,
            "there": converted.after[end],
        }
    )


def _frames(tiles: pd.DataFrame, plan: Plan) -> pd.DataFrame:
    """Where each tile is at each step: from its place to its new one, the members of a pair on either side."""
    t = np.array(FRAMES)[:, None] / FRAMES[-1]
    eased = t * t * t * (t * (6 * t - 15) + 10)
    start, end = tiles["channel"].to_numpy(), tiles["end"].to_numpy()
    first, last = plan.rows
    side = np.where(tiles["member"], 1, -1) * plan.bulge
    along = start + (end - start) * eased
    across = first + (last - first) * t + side * np.sin(np.pi * t)
    return pd.DataFrame(
        {
            "progress": np.repeat(FRAMES, len(tiles)),
            "channel": np.tile(start, len(FRAMES)),
            "pair": np.tile(tiles["pair"], len(FRAMES)),
            "along": along.ravel().astype(np.float32),
            "across": across.ravel().astype(np.float32),
        }
    )


def _lit(hover: alt.Parameter, on: float, off: float) -> Any:
    return alt.condition(hover, alt.value(on), alt.value(off))


def _paths(frames: pd.DataFrame, plan: Plan, hover: alt.Parameter) -> alt.Chart:
    """What each tile has still ahead of it, from its edge to the edge of its new place."""
    along, across = (frames[name].to_numpy().reshape(len(FRAMES), -1) for name in ("along", "across"))
    half_along, half_across = plan.tile
    apart = np.abs(along[:, None] - along) / half_along, np.abs(across[:, None] - across) / half_across
    is_clear = np.maximum(*apart) > 1  # (point, tile, channel): the tile does not cover the point
    earlier = np.tri(len(FRAMES), dtype=bool)[:, :, None]
    until = np.where(is_clear & earlier, np.arange(len(FRAMES))[:, None], -1).max(axis=1)
    until[~is_clear[:, -1]] = -1
    return (
        alt.Chart(frames.assign(until=until.ravel()).query("until >= 0"))
        .transform_filter(f"datum.until >= {PROGRESS.name}.{PROGRESS.name}[0]")
        .mark_line(color=POSITION, strokeWidth=1.5)
        .encode(**plan.at("along", "across"), detail="channel:N", order="progress:Q", opacity=_lit(hover, 0.45, 0.08))
    )


def _places(tiles: pd.DataFrame, plan: Plan, heads: list[str]) -> list[alt.Chart]:
    """The empty places of both rows with their indices, the numbers computed in the target, and the rows' names."""
    slots = pd.concat(
        [tiles[["pair"]].assign(along=tiles[field], row=row) for row, field in enumerate(("channel", "end"))]
    )
    slots["across"] = np.array(plan.rows)[slots["row"]]
    half_across = plan.tile[1]
    before, after = plan.rows[0] - half_across - 13, plan.rows[1] + half_across + 35
    slots["index"] = np.where(slots["row"], after, before)
    told = slots[slots["row"] == 0] if plan.narrow else slots  # on a phone the columns have their indices in common
    wanted = tiles[["pair"]].assign(
        along=tiles["end"], across=plan.rows[1] + half_across, text=tiles["there"].map(_short)
    )
    return [
        _boxed(alt.Chart(slots), plan)
        .mark_rect(fill=None, stroke=INK, strokeOpacity=0.3, strokeDash=[3, 3], cornerRadius=5)
        .encode(**plan.at("a1", "c1", "a2", "c2")),
        alt.Chart(told).mark_text(opacity=QUIET, fontSize=11.5).encode(**plan.at("along", "index"), text="along:Q"),
        alt.Chart(wanted)
        .mark_text(fontSize=_type(plan), **({"align": "left", "dx": 5} if plan.narrow else {"dy": 15}))
        .encode(**plan.at("along", "across"), text="text:N"),
        *_heads(heads, plan),
    ]


def _heads(heads: list[str], plan: Plan) -> list[alt.Chart]:
    """Over each column on a phone, else over the first row and under the second."""
    spots = ((-1.4, 17), (-1.4, 169)) if plan.narrow else ((-0.43, 8), (-0.43, plan.reach - 8))
    table = pd.DataFrame(spots, columns=["along", "across"]).assign(text=heads)
    named = alt.Chart(table).mark_text(align="left", fontWeight="bold")
    return [named.encode(**plan.at("along", "across"), text="text:N")]


def _travelling(
    frames: pd.DataFrame,
    tiles: pd.DataFrame,
    plan: Plan,
    progress: alt.Parameter,
    hover: alt.Parameter,
    encoding: str,
    lang: str,
) -> list[alt.Chart]:
    """The tiles of the frame, with what they carry."""
    known = alt.LookupData(tiles, "channel", ["shade", "name", "given", "enters", "value"])
    here = _boxed(alt.Chart(frames).transform_filter(progress).transform_lookup("channel", from_=known), plan)
    tips = [
        alt.Tooltip("pair:Q", title=PAIR(lang)),
        alt.Tooltip("channel:Q", title=CHANNEL(lang)),
        alt.Tooltip("enters:Q", title=ENTERS[encoding](lang), format=".6~f"),
        alt.Tooltip("value:Q", title=CARRIES[encoding](lang), format=".6f"),
    ]
    box, middle = plan.at("a1", "c1", "a2", "c2"), plan.at("along", "across")
    here = here.encode(opacity=_lit(hover, 1, 0.25), tooltip=tips)
    text = partial(here.mark_text, fontSize=_type(plan))
    shown = alt.Text("value:Q", format=".2f")
    return [
        here.mark_rect(fill=POSITION, stroke=POSITION, strokeWidth=1.2, cornerRadius=5)
        .encode(**box, fillOpacity=alt.FillOpacity("shade:Q", scale=None, legend=None))
        .add_params(progress, hover),
        text(fontWeight="bold", **plan.line(-1)).encode(**middle, text="name:N"),
        text(**plan.line(0)).encode(**middle, text="given:N"),
        text(fontWeight="bold", **plan.line(1)).encode(**middle, text=shown),
    ]


def _boxed(chart: alt.Chart, plan: Plan) -> alt.Chart:
    along, across = plan.tile
    return chart.transform_calculate(
        a1=f"datum.along - {along}",
        a2=f"datum.along + {along}",
        c1=f"datum.across - {across}",
        c2=f"datum.across + {across}",
    )


def _type(plan: Plan) -> float:
    return 12 if plan.narrow or plan.width > 8 else SMALL_TYPE + 1


def _short(value: float) -> str:
    return number(value, 2)
