"""Learned table: one row a position, and nothing past the last."""

import posenc
from pages.kit.cache import compute
from pages.kit.figure import grid, grids
from pages.kit.opening import open_page
from pages.kit.settings import Choice
from pages.kit.text import Label, number
from pages.learned_table import figures, lookup, snippets
from posenc import claims

DIM = 16
KEPT, LONGER = 64, 128
COLUMNS = 32
TOKENS = ("`<s>`", "`Hello`", "`world`", "`</s>`", "`<pad>`", "`<pad>`")
IDS = (0, 31414, 232, 2, 1, 1)

ROWS = Choice("rows", Label(zh="表的行数", en="rows of the table"), (8, 512, 514, 1024), 8)
SET_ASIDE = {0: Label(zh="0", en="0"), 2: Label(zh="2", en="2")}
OFFSET = Choice("offset", Label(zh="开头留空几行", en="rows set aside at the top"), (0, 2), 0, SET_ASIDE)

EXACT = Label(zh="查表得到的就是那一行，与独热向量乘表相同", en="a lookup gives what one-hot times table gives")
STRETCHED = Label(zh="拉长后的表与 NumPy 的线性插值一致", en="the stretched table is NumPy’s linear interpolation")
WHO = Label(zh="谁", en="who")
SAYS = Label(zh="怎么说", en="says")
RECORDED = Label(zh="{library} {version}（原话）", en="{library} {version}, word for word")
OURS = Label(zh="本站", en="posenc")
OVERFLOW = Label(
    zh="位置 {position:,} 超出了表：表有 {rows:,} 行，只对应位置 {first:,} 到 {last:,}",
    en="position {position:,} is outside the table: {rows:,} rows serve positions {first:,} to {last:,}",
)
EDGE = Label(zh="没有这一行时，各家怎么办", en="Where there is no row: four answers")
TRAINING = Label(zh="训练往表里写了什么", en="What training writes into the table")
LENGTHEN = Label(zh="表不够长，怎么办", en="Three ways out of a table that is too short")
ASIDE = Label(zh="RoBERTa 为什么是 514 行", en="Why RoBERTa has 514 rows")
USERS = Label(zh="谁在用", en="Who uses a learned table")
WAY = Label(zh="做法", en="way")
OLD = Label(zh="原有的位置 0–{last}", en="old positions 0–{last}")
NEW = Label(zh="新增的位置 {first}–{last}", en="new positions {first}–{last}")
ID = Label(zh="编号", en="id")

page = open_page(__file__)
figure, panel = page.stage()
page.try_this(
    (Label(zh="八个词：正好用完 8 行", en="Eight words: every row in use"), {"n_tokens": 8}),
    (Label(zh="GPT-2 的第 1025 个词元", en="GPT-2's token number 1025"), {"rows": 1024, "n_tokens": 1025}),
    (
        Label(zh="RoBERTa：514 行，只够 512 个词元", en="RoBERTa: 514 rows serve 512 tokens"),
        {"rows": 514, "offset": 2, "n_tokens": 514},
    ),
)
page.reasons()
page.section("edge", EDGE)
page.section("training", TRAINING)
training = page.room()
page.section("ways", LENGTHEN)
tables = compute(posenc.lengthened_tables, kept=KEPT, rows=LONGER)
page.figure(
    figures.ways,
    alt=figures.WAYS_ALT,
    numbers=lambda: grids(
        "value",
        {name: getattr(tables.value, name)[:, :COLUMNS] for name in ("repeated", "interpolated", "trained")},
        row=range(LONGER),
        dimension=range(COLUMNS),
    ),
    tables=tables,
    dims=COLUMNS,
)
page.section("agreement")
agreement = compute(posenc.lengthening_agreement, kept=KEPT, rows=LONGER).value
page.table(
    {
        page.say(WAY): [page.say(figures.NAMES[way]) for way in posenc.trained.WAYS],
        page.say(OLD, last=KEPT - 1): [number(old, 2) for old, _ in agreement],
        page.say(NEW, first=KEPT, last=LONGER - 1): [number(new, 2) for _, new in agreement],
    },
    words=[page.say(WAY)],
)
page.checked(compute(claims.resize_residual, rows=KEPT, new_rows=LONGER, dim=DIM).value, STRETCHED)
page.section("offset", ASIDE)
positions = compute(posenc.roberta_positions, token_ids=IDS).value
page.table(
    {page.say(lookup.WORD): TOKENS, page.say(ID): map(str, IDS), page.say(lookup.ROW): map(str, positions)},
    words=[page.say(lookup.WORD)],
)
page.section("users", USERS)
page.predict(
    (
        Label(zh="报错", en="An error"),
        Label(zh="能跑，但从位置 512 起都是噪声", en="It runs; past row 511 positions are noise"),
        Label(zh="和前 512 个一样好用", en="It works as well as before"),
    ),
    right=1,
)
page.close()


@page.alive
def draw() -> None:
    """What follows from the settings."""
    with panel:
        rows = page.choose(ROWS)
        offset = page.choose(OFFSET)

    with figure:
        n_tokens = page.live(lookup.tokens(rows))
        weights = compute(posenc.untrained_table, rows=rows, dim=DIM)
        page.live_figure(
            lookup.lookup,
            alt=lookup.ALT,
            numbers=lambda: grid("value", weights.value, row=range(rows), dimension=range(DIM)),
            weights=weights,
            offset=offset,
        )
        refusal = compute(posenc.first_overflow, length=n_tokens, rows=rows, offset=offset).value
        if refusal:
            torch = compute(posenc.torch_embedding_error).value
            where = {name: getattr(refusal, name) for name in ("position", "rows", "first", "last")}
            says = f"`{torch.error}: {torch.message}`", page.say(OVERFLOW, **where)
            who = page.say(RECORDED, **vars(torch)), page.say(OURS)
            page.table({page.say(WHO): who, page.say(SAYS): says}, words=(page.say(WHO), page.say(SAYS)))
        page.checked(compute(claims.lookup_residual, rows=rows, dim=DIM, offset=offset).value, EXACT)
    settings = {"rows": rows, "dim": DIM, "offset": offset, "n_tokens": n_tokens}
    page.code(snippets.numpy(**settings), snippets.torch(**settings))


@page.alive
def draw_training() -> None:
    """The row that the visitor chose."""
    with training:
        page.live(figures.ROW)
        untrained, trained = (compute(posenc.row_similarities, rows=KEPT, trained=is_it) for is_it in (False, True))
        page.live_figure(
            figures.similarity,
            alt=figures.SIMILARITY_ALT,
            numbers=lambda: grids(
                "cosine",
                {"untrained": untrained.value, "trained": trained.value},
                row=range(KEPT),
                other_row=range(KEPT),
            ),
            untrained=untrained,
            trained=trained,
        )
