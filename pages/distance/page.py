"""Distance: the dot product of two sinusoidal encodings sees only how far apart they stand."""

import posenc
from pages.distance import figures, snippets
from pages.kit.cache import compute
from pages.kit.figure import columns, grid
from pages.kit.opening import open_page
from pages.kit.settings import BASE, D_MODEL
from pages.kit.text import DISTANCE, DOT_PRODUCT, Label, number
from posenc import claims, lessons

POSITIONS = range(figures.P.maximum + 1)
REACH = range(-figures.P.maximum, figures.P.maximum + 1)
WIDTHS = {"small": 64, "middle": 128, "large": 512}
APART = 4

CURVES = Label(
    zh="左边：所有位置两两点积的方阵，标出第 p 行。右上：这一行按位置画，随 p 移动。右下：同一行按距离画，不动。",
    en="Left: dot products of all positions, row p marked. Right: row p by position, and by distance, where it rests.",
)
FAR = Label(
    zh="d = 64、128、512 时点积除以 d/2 随距离变化的三条曲线，标出第一次回升和第一次为负。",
    en="Dot product over d/2 against distance for d = 64, 128 and 512, first rise and first negative value marked.",
)
SAME = Label(zh="距离相同，点积就相同，与起点 p 无关", en="the same distance gives the same dot product from any start")
DIAGONALS = Label(zh="方阵的每条对角线上数值不变", en="the matrix is constant along each diagonal")
NUMBERS = Label(zh="看数字", en="In numbers")
STEADILY = Label(zh="会下降，但不是一路下降", en="Downhill, with bumps")
ATTENTION = Label(zh="注意力里还是这样吗？", en="Does this survive inside attention?")
ASKED = Label(zh="常有人问", en="Often asked")
START = Label(zh="起点 p", en="start p")
BARE = Label(zh="只有位置，k = {k}", en="positions only, k = {k}")
FULL = Label(zh="加上内容，k = {k}", en="content added, k = {k}")

page = open_page(__file__)
figure, panel = page.stage()
page.try_this(
    (Label(zh="从头看：p = 0，只有往后的位置", en="At the start, p = 0: only later positions"), {"p": 0}),
    (Label(zh="从尾看：p = 100，正好左右相反", en="At the end, p = 100: the mirror image"), {"p": 100}),
    (Label(zh="只有一对维度：就是一条余弦", en="A single pair: a bare cosine"), {"p": 50, "d_model": 2}),
)
page.reasons()
page.section("numbers", NUMBERS)
numbers = page.room()
page.section("far", STEADILY)
far = page.room()
page.section("attention", ATTENTION)
attention = page.room()
page.section("asked", ASKED)


def reveal() -> None:
    """The two products that the question is about."""
    asked = compute(lessons.dots_by_distance, d_model=64, base=10_000, distances=(16, 32), starts=(0,)).value
    page.table({DISTANCE(page.lang): ["16", "32"], DOT_PRODUCT(page.lang): [number(v, 3) for v in asked[:, 0]]})


page.predict(
    (Label(zh="往后 16 个", en="16 on"), Label(zh="往后 32 个", en="32 on"), Label(zh="一样大", en="equal")),
    right=1,
    reveal=reveal,
)
page.close()


@page.alive
def draw() -> None:
    """What follows from the settings."""
    with panel:
        d_model = page.choose(D_MODEL)
        base = page.choose(BASE)

    table = {"d_model": d_model, "base": base}

    @page.alive
    def draw_figure() -> None:
        with figure:
            p = page.live(figures.P)
            products = compute(posenc.product_matrix, positions=POSITIONS, **table)
            page.live_figure(
                figures.moving_start,
                alt=CURVES,
                numbers=lambda: grid("dot_product", products.value, p=POSITIONS, other_position=POSITIONS),
                products=products,
                kernel=compute(posenc.distance_kernel, distances=REACH, **table),
                profile=compute(posenc.distance_profile, **table),
            )
            page.all_checked(
                (compute(claims.distance_residual, n=len(POSITIONS), **table).value, SAME),
                (compute(claims.toeplitz_residual, n=len(POSITIONS), **table).value, DIAGONALS),
            )
        shown = {"p": p, "distances": lessons.DISTANCES, **table}
        page.code(snippets.numpy(**shown), snippets.torch(**shown))

    dots = compute(lessons.dots_by_distance, **table).value
    with numbers:
        page.table(
            {
                DISTANCE(page.lang): [str(k) for k in lessons.DISTANCES],
                **{f"p = {lessons.STARTS[i]}": [number(x, 3) for x in column] for i, column in enumerate(dots.T)},
            }
        )
    with far:
        profiles = {name: compute(posenc.distance_profile, d_model=w, base=base) for name, w in WIDTHS.items()}
        page.figure(
            figures.long_range,
            alt=FAR,
            regardless={"d_model"},
            numbers=lambda: columns(
                "distance",
                profiles["small"].value.distances,
                **{f"d_model_{WIDTHS[name]}": profile.value.similarity for name, profile in profiles.items()},
            ),
            **profiles,
        )
    x, y = (tuple(map(float, content)) for content in compute(lessons.query_and_key, head_dim=d_model).value)
    ends = tuple(start + APART for start in lessons.STARTS)
    with attention:
        page.table(
            {
                START(page.lang): [str(start) for start in lessons.STARTS],
                page.say(BARE, k=APART): [number(v, 3) for v in dots[lessons.DISTANCES.index(APART)]],
                page.say(FULL, k=APART): [
                    number(v, 3)
                    for v in compute(posenc.additive_score, q=x, k=y, m=lessons.STARTS, n=ends, base=base).value
                ],
            }
        )
