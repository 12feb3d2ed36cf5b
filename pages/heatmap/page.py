"""The sinusoidal table: one row is the reading of a clock with many hands."""

import posenc
from pages.heatmap import figures, snippets
from pages.kit.cache import compute
from pages.kit.figure import grid
from pages.kit.opening import open_page
from pages.kit.settings import BASE, D_MODEL, LAYOUT, Choice, Whole
from pages.kit.text import DIMENSION, NBSP, POSITION, Label, number
from posenc import claims, lessons

LARGEST = {"n_positions": 4096, "d_model": 1024, "position": 2500}
N_POSITIONS = Choice("n_positions", Label(zh="位置个数", en="positions"), tuple(2**power for power in range(13)), 64)

TABLE = Label(
    zh="左上：整张表的热力图，横框是光标所在的位置。它右边：所选维度的波形。下面：这一行的数值。右边：同一行画成钟的指针和读数。",
    en="The table as a heatmap, a frame on the row at the cursor; beside it the chosen dimension’s wave, below it the"
    " row’s values; on the right the row as the hands of a clock and as digits.",
)
FORMULA = Label(
    zh="框住的格子：$PE({p},\\,{c})=\\{wave}\\left({p}\\cdot {base}^{{-{two_i}/{d}}}\\right)$ = **{value}**。",
    en="The framed cell: $PE({p},\\,{c})=\\{wave}\\left({p}\\cdot {base}^{{-{two_i}/{d}}}\\right)$ = **{value}**.",
)
TURN = Label(
    zh="维度 {c} 属于第 {i} 对，转一圈要 **{turn}** 个位置。",
    en="Dimension {c} belongs to pair {i}: one turn takes **{turn}** positions.",
)
ALL = Label(zh="图中每个格子都画了：{rows} × {columns}。", en="Every cell is drawn: {rows} × {columns}.")
SOME = Label(
    zh="表有 {n} × {d} 个格子，图中画了 {rows} × {columns} 个。",
    en="The table has {n} × {d} cells; {rows} × {columns} are drawn.",
)
MEANS = Label(
    zh="每一行是相邻 {block} 个位置的平均，所以最快的几列颜色变淡，细条纹里也可能出现假花纹。",
    en=" Each row is the mean of {block} neighbouring positions, so the fastest columns look paler, and fine stripes"
    " may show patterns that are not there.",
)
STEPS = Label(zh="维度每 {step} 对画一对。", en=" One pair of dimensions in {step} is drawn.")
EXACT = Label(zh="位置、维度两个输入框给出任何格子的准确值。", en=" The two fields give any cell’s exact value.")
NEAREST = Label(
    zh="这 {n} 个位置当中，最像的两行相隔 {apart} 个位置，它们的距离是 **{distance}**，不是 0。",
    en="Of these {n} positions, the two rows most alike stand {apart} apart; their distance is **{distance}**, not 0.",
)
ALONE = Label(zh="只有一个位置时，没有别的行可以比较。", en="A single position has no other row to be compared with.")
NORM = Label(zh="每一行的长度都是 √(d/2)", en="every row has length √(d/2)")
CIRCLE = Label(zh="每一对都满足 sin² + cos² = 1", en="sin² + cos² = 1 in every pair")
DIGITS = Label(zh="表里的数", en="The numbers themselves")
REPEAT = Label(zh="位置会重复吗？", en="Do positions repeat?")
ANSWERS = (Label(zh="变慢", en="It slows"), Label(zh="不变", en="It stays"), Label(zh="变快", en="It speeds up"))
QUESTIONS = Label(zh="常有人问", en="Often asked")

page = open_page(__file__)
figure, panel = page.stage()
page.try_this(
    (Label(zh="经典的样子：128 × 128", en="The classic picture: 128 × 128"), {"n_positions": 128, "d_model": 128}),
    (Label(zh="最大的表：4096 × 1024", en="The largest table: 4096 × 1024"), LARGEST),
    (Label(zh="底数取 10：每根指针都快", en="Base 10: every hand is fast"), {"base": 10}),
)
page.reasons()
page.section("digits", DIGITS)
digits = page.room()
page.section("repeat", REPEAT)
repeat = page.room()
page.section("questions", QUESTIONS)
page.predict(ANSWERS, right=1)
page.close()


@page.alive
def draw() -> None:
    """What follows from the settings."""
    with panel:
        n = page.choose(N_POSITIONS)
        d_model = page.choose(D_MODEL)
        base = page.choose(BASE)
        layout = page.choose(LAYOUT)
        position = page.enter(figures.position(n))
        dimension = page.enter(Whole("dimension", DIMENSION, 0, d_model - 1, min(6, d_model - 1)))
        order = {"d_model": d_model, "base": base, "layout": layout}
        known = compute(posenc.channels, **order)
        channel = {
            "c": dimension,
            "i": known.value.pair[dimension],
            "two_i": 2 * known.value.pair[dimension],
            "wave": "cos" if known.value.is_cosine[dimension] else "sin",
            "turn": f"{known.value.wavelength[dimension]:,.6f}",
        }
        wave = compute(posenc.channel_values, positions=range(n), dimension=dimension, **order)
        cell = {"p": position, "d": d_model, "base": base, "value": number(wave.value[position], 10), **channel}

    drawn = compute(posenc.drawn_table, n=n, rows=figures.MOST, columns=figures.MOST, **order)
    with figure:
        page.live(figures.position(n))
        page.live_figure(
            figures.table,
            alt=TABLE,
            numbers=lambda: grid(
                "encoding", posenc.sinusoidal(range(n), **order), position=range(n), dimension=range(d_model)
            ),
            drawn=drawn,
            known=known,
            hands=compute(posenc.spread_pairs, d_model=d_model),
            wave=wave,
            dimension=dimension,
            layout=layout,
        )
        picture = drawn.value
        rows, columns = (f"{size:,}" for size in picture.values.shape)
        parts = [(SOME if picture.values.size < n * d_model else ALL, True)]
        parts += [(MEANS, picture.positions_per_row > 1), (STEPS, picture.pair_step > 1), (EXACT, parts[0][0] is SOME)]
        sizes = {"n": f"{n:,}", "d": f"{d_model:,}", "block": picture.positions_per_row, "step": picture.pair_step}
        told = "".join(page.say(label, rows=rows, columns=columns, **sizes) for label, is_so in parts if is_so)
        said = " " if page.lang == "en" else ""
        page.note(f"{page.say(FORMULA, **cell)}{said}{page.say(TURN, **channel)}\n\n:small[:gray[{told}]]")
        page.all_checked(
            (compute(claims.norm_residual, n=n, d_model=d_model, base=base).value, NORM),
            (compute(claims.circle_residual, n=n, d_model=d_model, base=base).value, CIRCLE),
        )
    shown = compute(lessons.digit_columns, d_model=d_model, layout=layout).value
    values_of = compute(lessons.row_digits, columns=shown, **order).value
    names = ["cos" if known.value.is_cosine[c] else "sin" for c in shown]
    table = {POSITION(page.lang): [f"**{p}**" for p in lessons.DIGIT_POSITIONS]}
    for c, name, values in zip(shown, names, values_of.T, strict=True):
        table[f"{name}{NBSP}{c}"] = [number(x, 3 if page.narrow else 4) for x in values]
    with digits:
        page.table(table)
    with repeat:  # Whatever n is: a part that moves alone may only fill room that it filled when the page was opened.
        if n > 1:
            nearest = compute(posenc.nearest_rows, n=n, d_model=d_model, base=base).value
            page.note(page.say(NEAREST, n=f"{n:,}", apart=nearest.apart, distance=number(nearest.distance, 6)))
        else:
            page.note(page.say(ALONE))
    settings = {"n_positions": n, "position": position, "dimension": dimension, **order}
    page.code(snippets.numpy(**settings), snippets.torch(**settings))
