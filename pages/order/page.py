"""Order: attention carries a shuffled sentence to shuffled outputs, until it is told the positions."""

import posenc
from pages.kit.cache import compute
from pages.kit.figure import grids
from pages.kit.opening import open_page
from pages.kit.settings import Choice, Words
from pages.kit.text import NBSP, Label, number
from pages.order import figures, snippets, weights
from posenc import claims, lessons

WIDTH = 8
LAYERS = (1, 2)

SENTENCE = Words(
    "words",
    Label(zh="句子（12 词以内）", en="your sentence (12 words)"),
    Label(zh="狗咬人", en="dog bites man"),
)
KIND = Choice("positions", Label(zh="位置编码", en="positions"), tuple(weights.NAMES), "none", weights.NAMES)
MASK_NAMES = {"off": Label(zh="关", en="off"), "on": Label(zh="开", en="on")}
MASK = Choice("causal", Label(zh="因果掩码", en="causal mask"), ("off", "on"), "off", MASK_NAMES)
DEPTH = Choice("layers", Label(zh="层数", en="layers"), LAYERS, 1, {n: Label(zh=str(n), en=str(n)) for n in LAYERS})

SHUFFLED = Label(
    zh="左边是原句和每个词的输出，右边是打乱后的句子和输出，连线指出每个词去了哪里，最右边是每个词的输出变了多少。",
    en="Left the sentence and each word’s output, right the same shuffled, lines between them, and each word’s change.",
)
EQUIVARIANT = Label(zh="不论怎么排，每个词的输出都不变", en="in every order of the handle, each word keeps its output")
SUMS = Label(zh="每一行权重之和为 1", en="each row of weights sums to 1")
PAST = Label(
    zh="只有一层时，最后一个词的输出与前文的顺序无关", en="with one layer, the last output ignores the order before"
)
ADDITION = Label(zh="相加等于拼接后两块权重相同", en="adding is concatenating with the same weights for both halves")
WEIGHTS = Label(zh="位置改变了谁看谁", en="Positions change who looks at whom")
CAUSAL = Label(zh="因果掩码泄露顺序", en="A causal mask leaks order")
LESSON = Label(zh="拿来核对代码的一组数", en="Numbers to check your code against")
ADDING = Label(zh="为什么相加，不拼接？", en="Why add, and not concatenate?")
LAYER = Label(zh="层数", en="layers")
MOVES = Label(zh="最后一个词的输出变了多少", en="change of the last word’s output")
ROW = Label(zh="行", en="row")
WITHOUT = Label(zh="没有位置的权重", en="weights without positions")
WITH = Label(zh="加上正弦编码", en="sinusoids added")
DISTANCE = Label(zh="距离", en="distance")


def in_halves(entries: list[str]) -> str:
    """The entries in a line that a phone may break in the middle alone."""
    half = len(entries) // 2
    return " ".join(NBSP.join(part) for part in (entries[:half], entries[half:]))


page = open_page(__file__)
figure, panel = page.stage()
page.try_this(
    (Label(zh="加上正弦编码：输出变了", en="Add sinusoids: outputs change"), {"positions": "sinusoidal"}),
    (
        Label(zh="因果掩码，一层：换前两个词，最后一个不变", en="Mask, one layer: swap the first two, the last stays"),
        {"causal": "on", "shuffle": 5},
    ),
    (
        Label(zh="因果掩码，两层：最后一个词也变了", en="Mask, two layers: now the last one changes too"),
        {"causal": "on", "layers": 2, "shuffle": 5},
    ),
)
page.reasons()
page.section("weights", WEIGHTS)
compared = page.room()
page.section("causal", CAUSAL)
leak = page.room()
page.section("adding", ADDING)
page.checked(compute(claims.addition_residual, n=64, d_model=64).value, ADDITION)
page.section("lesson", LESSON)
lesson = compute(lessons.attention_lesson).value
without, with_positions = (
    [in_halves(list(map(number, row))) for row in table] for table in (lesson.weights_without, lesson.weights_with)
)
page.table(
    {
        page.say(ROW): [*map(str, range(len(without))), page.say(DISTANCE)],
        page.say(WITHOUT): [*without, ""],
        page.say(WITH): [*with_positions, number(lesson.distance)],
    }
)
page.predict(
    (
        Label(zh="能，一层就够", en="Yes, one is enough"),
        Label(zh="一层不能，两层能", en="One cannot, two can"),
        Label(zh="多少层都不能", en="No number of layers can"),
    ),
    right=1,
)
page.close()


@page.alive
def draw() -> None:
    """What follows from the settings."""
    with panel:
        kind = page.choose(KIND)
        causal = page.choose(MASK) == "on"
        layers = page.choose(DEPTH)
        words = page.write(SENTENCE)
    stack = {"words": words, "causal": causal, "layers": layers, "d_model": WIDTH}

    @page.alive
    def draw_figure() -> None:
        with figure:
            step = page.live(figures.shuffle(len(words)))
            shuffles = compute(posenc.shuffles, positions=kind, **stack)
            page.live_figure(
                figures.equivariance,
                alt=SHUFFLED,
                numbers=lambda: grids(
                    "output",
                    {"as_given": shuffles.value.outputs, "shuffled": shuffles.value.by_word(step)},
                    word=words,
                    channel=range(WIDTH),
                ),
                shuffles=shuffles,
                words=words,
                told=kind != "none",
            )
            if kind == "none" and not causal:
                page.checked(shuffles.value.residual, EQUIVARIANT)
        order = tuple(shuffles.value.permutations[step].tolist())
        settings = {"words": words, "permutation": order, "positions": kind, "causal": causal, "layers": layers}
        page.code(snippets.numpy(**settings), snippets.torch(**settings))

    with compared:
        shown = "sinusoidal" if kind == "none" else kind
        comparison = compute(posenc.order_comparison, permutation=tuple(range(len(words))), positions=shown, **stack)
        tables = comparison.value.plain_weights[0], comparison.value.weights[0]
        page.figure(
            weights.weights,
            alt=weights.ALT,
            regardless={"layers"},
            numbers=lambda: grids(
                "weight",
                {"no_positions": tables[0], shown: tables[1], "difference": tables[1] - tables[0]},
                query=words,
                key=words,
            ),
            comparison=comparison,
            positions=shown,
        )
        page.checked(compute(claims.row_sum_residual, seq_len=len(words), head_dim=WIDTH, causal=causal).value, SUMS)
    with leak:
        changes = compute(posenc.last_word_changes, words=words, most_layers=max(LAYERS), d_model=WIDTH).value
        page.table({page.say(LAYER): [*map(str, LAYERS)], page.say(MOVES): [number(change) for change in changes]})
        page.checked(changes[0], PAST)
