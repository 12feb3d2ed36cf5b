"""shift_matrix: one matrix carries every encoding k positions on."""

import posenc
from pages.kit.cache import compute
from pages.kit.figure import columns, grid
from pages.kit.opening import open_page
from pages.kit.settings import BASE, LAYOUT, Choice
from pages.kit.text import D_MODEL, Label, number, scientific
from pages.shift_matrix import figures, snippets
from posenc import claims

WIDTH = Choice("width", D_MODEL, (4, 8, 16, 32, 64), 8)
CHECKED_POSITIONS = 4096
FITTED = range(256)
PLACES = (0, 2, 10, 100, 1000)

SHIFT = Label(
    zh="从左到右：矩阵 M_k；PE(p)；乘积（实心点）落在 PE(p + k)（圆圈）里；"
    "选中的一对像钟表指针一样从 p 转到 p + k，下面是它的 2 × 2 块。",
    en="From left: the matrix M_k; PE(p); the product, filled dots inside the rings of PE(p + k); "
    "the chosen pair turning like a clock hand from p to p + k, with its 2 × 2 block in digits.",
)
BEST = Label(
    zh="左：最佳矩阵的误差，sin 和 cos 都用时接近零，只用一种时很大。右：只用 sin 时，矩阵给出的值偏离应得的值。",
    en="Left: the best matrix’s error, near zero with sin and cos, large with one alone. "
    "Right: with sines alone it misses the wanted values.",
)
SAME = Label(zh="位置 0 到 4095，同一个 $M_k$ 都移 k 步", en="from 0 to 4095, the same $M_k$ moves each position by k")
TWICE = Label(zh="先移 p 步，再移 k 步，等于一次移 p + k 步", en="moving by p and then by k is moving by p + k")
BACK = Label(zh="$M_k$ 的转置就是 $M_{-k}$，正好移回去", en="the transpose of $M_k$ is $M_{-k}$, which moves back")
ANYWHERE = Label(zh="换个位置，还是这个矩阵", en="Another position, the same matrix")
ALONE = Label(zh="只用 sin 行不行？", en="Would sines alone do?")
ONWARD = Label(zh="从这里到 RoPE", en="From here to RoPE")
KEPT = Label(zh="用作特征", en="features")
COLUMNS = Label(zh="列数", en="columns")
TYPICAL = Label(zh="误差（均方根）", en="error (root mean square)")
LARGEST = Label(zh="最大误差", en="largest error")

page = open_page(__file__)
figure, panel = page.stage()
page.try_this(
    (Label(zh="只挪 p：矩阵不变", en="Move only p: the matrix stays"), {"p": 40}),
    (Label(zh="k 变成 −2：转置，倒着转", en="k = −2: transposed, turning back"), {"k": -2, "p": 5}),
    (
        Label(zh="先 sin 后 cos：同样的块，换了地方", en="All sines first: same blocks, spread out"),
        {"width": 16, "layout": "concatenated", "block": 1},
    ),
)
page.reasons()
page.section("anywhere", ANYWHERE)
anywhere = page.room()
page.section("alone", ALONE)
alone = page.room()
page.section("onward", ONWARD)
page.predict(
    (
        Label(zh="能", en="Yes"),
        Label(zh="维数够多就能", en="With enough dimensions"),
        Label(zh="不能", en="No"),
    ),
    right=2,
)
page.close()


@page.alive
def draw() -> None:
    """What follows from the settings."""
    with panel:
        d_model = page.choose(WIDTH)
        base = page.choose(BASE)
        layout = page.choose(LAYOUT)

    table = {"d_model": d_model, "base": base, "layout": layout}
    channels = compute(posenc.pair_channels, d_model=d_model, layout=layout)
    with figure:
        k, p, block = page.live(figures.K), page.live(figures.P), page.live(figures.block(d_model))
        page.live_figure(
            figures.shift,
            alt=SHIFT,
            numbers=lambda: grid(
                "entry", posenc.shift_matrix(k, **table), channel_after=range(d_model), channel_before=range(d_model)
            ),
            blocks=compute(posenc.shift_blocks, k=figures.SHIFTS, d_model=d_model, base=base),
            table=compute(posenc.sinusoidal, positions=figures.POSITIONS, **table),
            channels=channels,
        )
        page.all_checked(
            (compute(claims.shift_residual, k=k, n=CHECKED_POSITIONS, **table).value, SAME),
            (compute(claims.shift_composition_residual, a=k, b=p, **table).value, TWICE),
            (compute(claims.shift_inverse_residual, k=k, **table).value, BACK),
        )
    sine, cosine = channels.value[block]
    product = compute(posenc.shifted, positions=PLACES, k=k, **table).value
    wanted = compute(posenc.sinusoidal, positions=tuple(place + k for place in PLACES), **table).value
    with anywhere:
        page.table(
            {
                "p": [str(place) for place in PLACES],
                "$M_k$·PE(p), sin": [number(x) for x in product[:, sine]],
                "$M_k$·PE(p), cos": [number(x) for x in product[:, cosine]],
                "PE(p + k), sin": [number(x) for x in wanted[:, sine]],
                "PE(p + k), cos": [number(x) for x in wanted[:, cosine]],
            }
        )
    maps = {
        features: compute(posenc.best_linear_map, k=k, positions=FITTED, features=features, **table)
        for features in figures.FEATURES
    }
    sines = compute(posenc.sinusoidal, positions=range(k, k + len(FITTED)), **{**table, "layout": "concatenated"})
    with alone:
        page.figure(
            figures.best_maps,
            alt=BEST,
            numbers=lambda: columns(
                "position",
                FITTED,
                **{f"error_of_{features}": found.value.residuals for features, found in maps.items()},
                sine_wanted=sines.value[:, block],
                sine_given=maps["sine"].value.predicted[:, block],
            ),
            **maps,
            wanted=sines,
            block=block,
        )
        page.table(
            {
                KEPT(page.lang): [label(page.lang) for label in figures.FEATURES.values()],
                COLUMNS(page.lang): [str(len(found.value.matrix)) for found in maps.values()],
                TYPICAL(page.lang): [scientific(found.value.rms) for found in maps.values()],
                LARGEST(page.lang): [scientific(found.value.residuals.max()) for found in maps.values()],
            }
        )
    settings = {"k": k, "p": p, "block": block, **table}
    page.code(snippets.numpy(**settings), snippets.torch(**settings))
