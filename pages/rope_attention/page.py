"""Attention with RoPE, step by step: only q and k turn."""

import posenc
from pages.kit.cache import compute
from pages.kit.figure import columns, grids
from pages.kit.opening import open_page
from pages.kit.settings import Choice, Whole
from pages.kit.text import Label, number, scientific
from pages.rope_attention import figures, snippets
from pages.rope_attention.frames import SHIFT, SHIFTS, STEPS, TOKEN
from posenc import walkthrough

TURN = Label(zh="转", en="turn")
STAY = Label(zh="不转", en="stay")
ROPE = Choice("rope", Label(zh="q 和 k", en="q and k"), ("on", "off"), "on", {"on": TURN, "off": STAY})
VALUES = Choice("values", Label(zh="v", en="v"), ("on", "off"), "off", {"on": TURN, "off": STAY})
MASKS = {"none": Label(zh="无", en="none"), "causal": Label(zh="因果", en="causal")}
MASK = Choice("mask", Label(zh="掩码", en="mask"), ("none", "causal"), "none", MASKS)
HEADS = Choice("heads", Label(zh="查询头数", en="query heads"), (1, 2, 4), 1)
KV_HEADS = Label(zh="键值头数", en="key and value heads")
HEAD = Label(zh="看哪个头", en="look at head")
SAMPLE = Choice("sample", Label(zh="批次中的样本", en="sequence in the batch"), (0, 1), 0)
FAR = Whole("far", Label(zh="所有位置都加上", en="add to all positions"), -1_000_000, 1_000_000, 1000)

STRIP = Label(
    zh="从 x 到输出的每一步各是一张小图：q、k、v，转过的 q、k，分数，权重，混合，输出；下面是所选词元的数字。",
    en="A small picture for each step from x to output: q, k, v, turned q and k, scores, weights, mixture, output; "
    "below them the chosen token’s numbers.",
)
CACHE = Label(
    zh="每个词元的输出误差：位置接着数时接近零，位置停在 0 时很大。",
    en="Error of each token’s output: next to nothing where positions count on, large where they are stuck at 0.",
)
SUMS = Label(zh="每行权重之和为 1", en="each row of weights sums to 1")
SAME = Label(zh="位置整体移动，权重不变", en="moving all positions leaves the weights unchanged")
SAME_OUT = Label(zh="位置整体移动，输出不变", en="moving all positions leaves the output unchanged")
FED = Label(zh="逐个送入、位置接着数，输出不变", en="fed one by one, positions counting on, the output is the same")
SHAPES = Label(zh="每一步的形状", en="The shape of every step")
LESSON = Label(zh="拿来核对代码的一组数", en="Numbers to check your code against")
FURTHER = Label(zh="移得再远些，把 v 也转了呢？", en="Move further, and turn v as well?")
TOKEN_BY_TOKEN = Label(zh="带着缓存，逐个词元生成", en="Token by token, with a cache")
STEP = Label(zh="步骤", en="step")
SHAPE = Label(zh="形状", en="shape")
AXES = Label(zh="各轴", en="axes")
VALUE = Label(zh="v", en="v")
WEIGHTS = Label(zh="权重最多变化", en="weights change by at most")
OUTPUT = Label(zh="输出最多变化", en="output changes by at most")

page = open_page(__file__)
figure, panel = page.stage()
page.try_this(
    (Label(zh="都移 20：q、k 转了，权重没动", en="Move all by 20: weights stand still"), {"shift": 20}),
    (Label(zh="v 也转：输出跟着位置变", en="Turn v too: the output moves"), {"values": "on", "shift": 20}),
    (
        Label(zh="四个头共用两组键值", en="Four query heads, two of keys and values"),
        {"heads": 4, "kv_heads": 2, "mask": "causal"},
    ),
)
page.reasons()
page.section("shapes", SHAPES)
shapes = page.room()
page.section("lesson", LESSON)
digits = compute(walkthrough.lesson_digits).value
entries = {str(i): [number(row[i]) for row in digits.values()] for i in range(4)}
page.table({"": [name.replace("[", " [") for name in digits], **entries}, words=[""])  # so that a phone may break it
page.section("further", FURTHER)
further = page.room()
page.section("cache", TOKEN_BY_TOKEN)
cache = page.room()
page.predict(
    (
        Label(zh="只有转过的 q 和 k", en="Only the turned q and k"),
        Label(zh="q、k 和权重", en="q, k and the weights"),
        Label(zh="全都变", en="Everything"),
    ),
    right=0,
)
page.close()


@page.alive
def draw() -> None:
    """What follows from the settings."""
    with panel:
        rotate = page.choose(ROPE) == "on"
        rotate_values = page.choose(VALUES) == "on"
        causal = page.choose(MASK) == "causal"
        heads = page.choose(HEADS)
        divisors = tuple(count for count in HEADS.options if heads % count == 0)
        kv_heads = page.choose(Choice("kv_heads", KV_HEADS, divisors, heads)) if heads > 1 else 1
        head = page.slide(Whole("head", HEAD, 0, heads - 1, 0))
        sample = page.choose(SAMPLE)
    model = {"rotate": rotate, "causal": causal, "num_heads": heads, "num_kv_heads": kv_heads, "sample": sample}
    walk = compute(posenc.attention_walkthrough, shifts=SHIFTS, rotate_values=rotate_values, **model)

    @page.alive
    def draw_figure() -> None:
        with figure:
            token, shift = page.live(TOKEN), page.live(SHIFT)
            tokens = range(walk.value.x.shape[0])
            page.live_figure(
                figures.steps,
                alt=STRIP,
                numbers=lambda: grids(
                    "value",
                    {"score": walk.value.scores[shift, head], "weight": walk.value.weights[shift, head]},
                    query=tokens,
                    key=tokens,
                ),
                walk=walk,
                head=head,
                turned=(rotate, rotate_values),
                causal=causal,
            )
            page.all_checked(
                (walk.value.weights_change, SAME),
                (walk.value.row_sum_error, SUMS),
                (walk.value.output_change, SAME_OUT),
            )
        settings = {"token": token, "shift": shift, "rotate": rotate, "rotate_values": rotate_values, "causal": causal}
        group = head * kv_heads // heads
        shown = {"q": walk.value.q[head], "k": walk.value.k[group], "v": walk.value.v[group]}
        page.code(
            snippets.numpy(**shown, **settings),
            snippets.torch(heads=heads, kv_heads=kv_heads, sample=sample, head=head, **settings),
        )

    with shapes:
        page.table(
            {
                page.say(STEP): list(STEPS),
                page.say(SHAPE): [",\N{NO-BREAK SPACE}".join(map(str, walk.value.shapes[name])) for name in STEPS],
                page.say(AXES): list(STEPS.values()),
            },
            words=[page.say(STEP), page.say(SHAPE), page.say(AXES)],
        )

    @page.alive
    def draw_further() -> None:
        with further:
            moved = (0, page.enter(FAR))
            both = [
                compute(posenc.attention_walkthrough, shifts=moved, rotate_values=turned, **model).value
                for turned in (False, True)
            ]
            page.table(
                {
                    page.say(VALUE): [page.say(STAY), page.say(TURN)],
                    page.say(WEIGHTS): [scientific(walked.weights_change) for walked in both],
                    page.say(OUTPUT): [scientific(walked.output_change) for walked in both],
                },
                words=[page.say(VALUE)],
            )


@page.alive
def draw_cache() -> None:
    """The lesson's own module, whatever the settings above."""
    with cache:
        prompt = page.live(figures.PROMPT)
        errors = compute(posenc.cache_errors)
        made = errors.value
        page.live_figure(
            figures.cache,
            alt=CACHE,
            numbers=lambda: columns(
                "token", range(len(made.counting)), counting=made.counting, stuck=made.stuck[prompt - 1]
            ),
            errors=errors,
        )
        page.checked(float(made.counting.max()), FED)
