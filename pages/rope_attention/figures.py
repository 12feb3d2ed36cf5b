"""Attention with RoPE: every step as a small picture with one token's numbers, and what a cache gets wrong."""

import altair as alt
import numpy as np
import pandas as pd

from pages.kit.marks import handle, tidy
from pages.kit.settings import Whole
from pages.kit.text import Label
from pages.kit.theme import INK, KEY, NARROW, POSITION, QUERY, VALUE, WARNING
from pages.rope_attention import frames
from pages.rope_attention.board import across_a_room, wide
from pages.rope_attention.board import narrow as on_phone
from pages.rope_attention.frames import SHIFT, TOKEN, joined
from pages.rope_attention.views import Painter
from posenc import CacheErrors, Walkthrough

PROMPT = Whole("prompt", Label(zh="提示有几个词元", en="tokens in the prompt"), 1, 11, 4)
FLOOR = 1e-17
"""Errors are drawn on a logarithmic axis, which has no zero: anything smaller stands here."""

TURNED = Label(zh="{name}，转过", en="{name}, turned")
STILL = Label(zh="{name}，不转", en="{name}, not turned")
SCORES = Label(zh="分数", en="scores")
WEIGHTS = Label(zh="权重", en="weights")
MIXED = Label(zh="权重 · v", en="weights · v")
OUT = Label(zh="输出", en="output")
PAIRS = Label(zh="q 的四对", en="the pairs of q")
LOOKS = Label(zh="词元 {0} 看谁", en="token {0} looks at")
DIGITS = Label(zh="词元 {0}（位置 {1}），各个维度", en="token {0} (position {1}), channel by channel")
AT = Label(zh="位置", en="at")
SCORE = Label(zh="分数", en="score")
WEIGHT = Label(zh="权重", en="weight")
COUNTING = Label(zh="接着数", en="counting on")
STUCK = Label(zh="停在 0", en="stuck at 0")
FED = Label(zh="逐个送入的词元", en="token, fed one by one")
ERROR = Label(zh="输出的误差", en="error of the output")


def steps(
    walk: Walkthrough,
    *,
    head: int,
    turned: tuple[bool, bool],
    causal: bool,
    lang: str,
    narrow: bool,
    afar: bool = False,
) -> alt.TopLevelMixin:
    """The pictures from x to the output in the order of the computation, and the numbers of one token.

    Args:
        walk: At every shift of ``frames.SHIFTS``.
        head: The query head whose scores and weights are drawn.
        turned: Whether q and k turn; whether v does.
        causal: Whether later keys are hidden.
        lang: "zh" or "en".
        narrow: For a phone.
        afar: For a lecture: larger, without the numbers of each channel.
    """
    layout = on_phone if narrow else across_a_room if afar else wide
    board = layout(joined(walk.k).shape[-1])
    draw, names = Painter(board, _limits(walk, head), _shown(walk, head)), _names(turned, lang)
    moving, attended = frames.channels(walk), frames.attended(walk, head)
    still = frames.still(walk, with_values=not turned[1])
    turning = ["k_turned", "v_turned"][: 1 + turned[1]]
    titles = {(box.left, box.top - 14): (names[step], _colour(step)) for step, box in board.boxes.items()}
    titles[board.dial[0], board.dial[1] - 14] = (PAIRS(lang), QUERY)
    lines = {step: (names[step], _colour(step)) for step in ("q", "q_turned")}
    lines |= {"mixed": (names["mixed"], VALUE), "out": (names["out"], INK)}
    left, top, *_ = board.looks
    told = {(left, top - 14): LOOKS(lang)}
    if board.digits:
        told[board.digits] = DIGITS(lang)
    layers = [
        draw.frames().add_params(handle(TOKEN, lang), handle(SHIFT, lang)),
        draw.squares(still, ["x", "q", "k", "v", "v_turned"][: 5 - turned[1]]),
        draw.squares(moving, ["q_turned", "mixed", "out"]),
        draw.squares(frames.shared_channels(walk, with_values=turned[1]), turning),
        draw.squares(attended, ["score", "weight"], across="key"),
        draw.outlines(["x", "q", "q_turned", "score", "weight", "mixed", "out"]),
        draw.places({"x": False, "q_turned": True, "k_turned": True, "v_turned": True}),
        *draw.dial(*frames.arrows(walk, board.centres, board.arrow)),
        draw.bars(attended),
        *draw.looks(attended, (AT(lang), SCORE(lang), WEIGHT(lang)), causal=causal),
        *draw.digits(moving, still, lines),
        draw.words([(*place, *title) for place, title in titles.items()], **draw.heading()),
        draw.told(told),
    ]
    drawn = alt.layer(*layers).resolve_scale(color="independent")
    return alt.vconcat(drawn.properties(width=board.width, height=board.height))  # a board keeps its size


def _names(turned: tuple[bool, bool], lang: str) -> dict[str, str]:
    """What each step is called."""
    vectors = {
        f"{name}_turned": (TURNED if turns else STILL)(lang).format(name=name)
        for name, turns in zip("qkv", (turned[0], *turned), strict=True)
    }
    rest = {"score": SCORES(lang), "weight": WEIGHTS(lang), "mixed": MIXED(lang), "out": OUT(lang)}
    return {name: name for name in "xqkv"} | vectors | rest


def _colour(step: str) -> str:
    return {"q": QUERY, "k": KEY, "v": VALUE}.get(step[0], INK)


def _limits(walk: Walkthrough, head: int) -> dict[str, float]:
    """What has full colour in each step; q, k and v are on one scale before and after the turn."""
    vectors = max(_largest(part) for part in (walk.q, walk.k, walk.v))
    alike = dict.fromkeys(("q", "k", "v", "q_turned", "k_turned", "v_turned"), vectors)
    attended = {"score": _largest(walk.scores[:, head]), "weight": _largest(walk.weights[:, head])}
    return {"x": _largest(walk.x), **alike, **attended, "mixed": _largest(walk.mixed), "out": _largest(walk.out)}


def _largest(values: np.ndarray) -> float:
    return round(float(np.abs(values).max()), 6) or 1.0


def _shown(walk: Walkthrough, head: int) -> dict[str, range]:
    """The channels of the head in each step that has heads; a group of query heads shares one of keys and values."""
    width, shared = walk.q.shape[-1], head * len(walk.k) // len(walk.q)
    own, kv = (range(index * width, (index + 1) * width) for index in (head, shared))
    return {**dict.fromkeys(("q", "q_turned", "mixed"), own), **dict.fromkeys(("k", "v", "k_turned", "v_turned"), kv)}


def cache(errors: CacheErrors, *, lang: str, narrow: bool) -> alt.TopLevelMixin:
    """Error of each token's output for both ways of counting, over a prompt of any length.

    Args:
        errors: For every length of the prompt.
        lang: "zh" or "en".
        narrow: For a phone.
    """
    tokens = range(len(errors.counting))
    powers = "'10' + ['⁻¹⁶', '⁻¹²', '⁻⁸', '⁻⁴', '⁰'][round(log(datum.value) / LN10 / 4) + 4]"
    axis = alt.Axis(labelExpr=powers, values=[1e-16, 1e-12, 1e-8, 1e-4, 1])
    y = alt.Y("error:Q", title=ERROR(lang), axis=axis, scale=alt.Scale(type="log", domain=[FLOOR, 3], nice=False))
    x = alt.X("at:Q", title=FED(lang), axis=alt.Axis(values=list(tokens), format="d"), scale=_tokens(len(tokens)))
    stuck = tidy("error", np.maximum(errors.stuck, FLOOR), prompt=tokens[1:], at=tokens)
    counting = pd.DataFrame({"at": tokens, "error": np.maximum(errors.counting, FLOOR)})
    prompt = handle(PROMPT, lang)
    starts = pd.DataFrame({"prompt": tokens[1:], "from": -0.5}).assign(to=np.arange(1, len(tokens)) - 0.5)
    lines = (
        (alt.Chart(stuck).transform_filter(prompt), WARNING, STUCK, -14),
        (alt.Chart(counting), POSITION, COUNTING, -14),
    )
    layers = [
        alt.Chart(starts)
        .transform_filter(prompt)
        .mark_rect(color=INK, opacity=0.07)
        .encode(x=alt.X("from:Q", scale=_tokens(len(tokens))), x2="to")
        .add_params(prompt)
    ]
    for line, colour, label, dy in lines:
        placed = line.encode(x=x, y=y)
        layers += [
            placed.mark_line(color=colour, strokeWidth=2),
            placed.mark_point(color=colour, filled=True, size=60, opacity=1).encode(
                tooltip=["at", alt.Tooltip("error:Q", format=".2e")]
            ),
            placed.transform_filter(f"datum.at == {tokens[-1]}").mark_text(
                color=colour, align="right", dy=dy, text=label(lang), fontWeight="bold"
            ),
        ]
    return alt.layer(*layers).properties(height=240, width=NARROW - 60 if narrow else "container")


def _tokens(count: int) -> alt.Scale:
    return alt.Scale(domain=[-0.5, count - 0.5], nice=False)
