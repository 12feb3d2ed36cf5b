"""Home: why position matters, the map of the ideas, where to start."""

import posenc
from pages.home import figures
from pages.kit.cache import compute
from pages.kit.concept import Card, Path
from pages.kit.figure import grid
from pages.kit.opening import open_page
from pages.kit.text import Label
from posenc import lessons

D_MODEL, HANDS = 16, 4
POSITIONS = range(figures.FIRST.maximum + figures.WORDS)
ROWS, DISTANCES, STEPS = range(64), range(25), (1, 4, 16)
PLACES, APART = range(4), 1
SHIFTS = (0, 100, 1000)
WORDS = Label(zh="狗 咬 人", en="dog bites man")

HERO = Label(
    zh="“狗咬人”和“人咬狗”：同样三个词，每个词下面是所在位置的四根指针。两句里的“狗”位置不同，指针也不同。",
    en="“dog bites man” and “man bites dog”, each word above the hands of its place: other hands for “dog” in each.",
)
MAP = Label(zh="位置编码，一步一步看懂", en="The ideas, step by step")

CARDS = (
    Card(
        "order",
        figures.crossings,
        Label(
            zh="上下两行三个词，次序对调，词与词之间的连线交叉。",
            en="Three words change places; the lines between them cross.",
        ),
        {"order": (2, 1, 0), "names": WORDS},
    ),
    Card(
        "heatmap",
        figures.rows,
        Label(
            zh="正弦位置编码的热力图：左边的列变化快，右边的列变化慢。",
            en="Heatmap of sinusoids: columns on the left change fast, on the right slowly.",
        ),
        {"table": compute(posenc.sinusoidal, positions=ROWS, d_model=64)},
    ),
    Card(
        "distance",
        figures.curve,
        Label(
            zh="点积随距离变化的曲线，标出第一次回升。",
            en="Dot product by distance, with a mark where it first goes up again.",
        ),
        {
            "dots": compute(posenc.distance_kernel, distances=DISTANCES, d_model=64),
            "rise": compute(posenc.first_rise, d_model=64),
        },
    ),
    Card(
        "shift_matrix",
        figures.matrices,
        Label(
            zh="三个平移矩阵：只有对角线上的 2×2 小块不为零。",
            en="Three shift matrices: blocks of 2 by 2 along the diagonal, zero elsewhere.",
        ),
        {"tables": compute(posenc.shift_matrix, k=STEPS, d_model=8), "names": tuple(f"k = {k}" for k in STEPS)},
    ),
    Card(
        "rope",
        figures.turns,
        Label(
            zh="四个表盘：q 和 k 一起越转越远，两者的夹角不变。",
            en="Four dials: q and k turn further and further, the angle between them stays.",
        ),
        {
            "q_turned": compute(posenc.turned_pairs, x=(1.0, 0.0), positions=tuple(n + APART for n in PLACES)),
            "k_turned": compute(posenc.turned_pairs, x=(1.0, 0.0), positions=tuple(PLACES)),
        },
    ),
    Card(
        "rope_attention",
        figures.matrices,
        Label(
            zh="同样内容的三张注意力权重表：位置整体移动 0、100、1000，三张表一样。",
            en="Three tables of attention weights of the same content, moved by 0, 100 and 1000 positions: all alike.",
        ),
        {"tables": compute(lessons.shifted_weights, shifts=SHIFTS), "names": tuple(f"+ {shift}" for shift in SHIFTS)},
    ),
    Card(
        "layouts",
        figures.crossings,
        Label(
            zh="八个维度从相邻配对换到前后两半，连线显示谁去了哪里。",
            en="Eight channels reordered from neighbours to halves; lines show which goes where.",
        ),
        {
            "order": compute(posenc.pairing_permutation, head_dim=8, source="interleaved", target="half"),
            "group": 2,
        },
    ),
    Card(
        "learned_table",
        figures.ending_rows,
        Label(
            zh="训练前的一张随机小表，红线处到头，下面的位置是空的。",
            en="A small random table, before training. A red line marks its end; the places below are empty.",
        ),
        {"table": compute(posenc.untrained_table, rows=8, dim=48), "missing": 3, "limit": 0.05},
    ),
)

page = open_page(__file__)
hero = page.room()
page.section("hands")

page.section("map", MAP)
page.cards(CARDS)
page.paths(
    Path("learner", Label(zh="想学懂", en="To learn"), Label(zh="从第 1 步开始", en="Start with step 1"), "order"),
    Path(
        "lecturer",
        Label(zh="要讲课", en="To teach"),
        Label(zh="取图做课件", en="Figures for your slides"),
        "slides",
    ),
    Path(
        "practitioner",
        Label(zh="要写代码", en="To build"),
        Label(zh="例：相邻配对的 RoPE", en="RoPE that pairs neighbours"),
        "rope",
        {"pairing": "interleaved"},
    ),
)
page.close(code=False)


@page.alive
def draw() -> None:
    """The two sentences at the place that the visitor chose."""
    with hero:
        page.live(figures.FIRST)
        hands = compute(posenc.pair_angles, positions=POSITIONS, d_model=D_MODEL)
        page.live_figure(
            figures.sentences,
            alt=HERO,
            numbers=lambda: grid("angle", hands.value[:, :HANDS], position=POSITIONS, pair=range(HANDS)),
            hands=hands,
            shown=HANDS,
        )
