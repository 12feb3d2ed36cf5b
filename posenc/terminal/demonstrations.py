"""The lesson's demonstrations: all numbers computed, all words ours. Only NumPy is needed."""

from __future__ import annotations

import numpy as np

from posenc import lessons
from posenc.claims import shift_residual
from posenc.claims.settings import Settings
from posenc.learned import first_overflow, untrained_table
from posenc.lesson_attention import DIM, SEED, SEQ_LEN, lesson_attention
from posenc.shift import shifted
from posenc.sinusoidal import first_rise, sinusoidal, wavelengths
from posenc.table import nearest_rows
from posenc.terminal.check import small
from posenc.terminal.demonstration import Cell, Demonstration, Heatmap, Table, checked, digits
from posenc.wording import Wording

POSITION = Wording(zh="位置", en="position")
WIDTH, DRAWN = 16, 40
DOTS_WIDTH = 64
SHIFTS, MOVED_FROM, CHECKED = (1, 5), (0, 1, 10, 50), 90
HEAD_DIM, PAIRING = 8, "half"
TABLE_ROWS, TABLE_DIM, LENGTHS = 8, 4, (5, 8, 12)
FAR = 1000
TOKEN = 1
NO_ROW = "位置 {position} 没有对应的行：{rows} 行只管到位置 {last}"


def heatmap() -> Demonstration:
    """The table of sinusoids in digits and as a picture."""
    turns, nearest = wavelengths(WIDTH), nearest_rows(DRAWN, WIDTH)
    names = [f"{c} {'cos' if c % 2 else 'sin'}" for c in lessons.DIGIT_COLUMNS]
    rows = [[str(p), *digits(row)] for p, row in zip(lessons.DIGIT_POSITIONS, lessons.row_digits(WIDTH), strict=True)]
    return Demonstration(
        Wording(zh="正弦编码：一个位置，一排指针", en="Sinusoids: a position is a row of clock hands"),
        Wording(
            zh="每两个维度合成一根指针，一个放它的 sin，一个放它的 cos。第一根最快，走 {fast} 个位置就转完一圈；"
            "越往后越慢，最后一根要走 {slow} 个。单看一根指针，读数会重复；所有指针合起来看，"
            "下面 {n} 行里最像的两行也还相差 {distance}。",
            en="Two dimensions make one hand: one holds its sine, the other its cosine. The first hand is the fastest"
            " and turns once in {fast} positions; the last takes {slow}. A single hand comes round again. Read all of"
            " them: even the two most alike of the {n} rows below are {distance} apart.",
        ),
        {
            "fast": f"{turns[0]:.2f}",
            "slow": f"{turns[-1]:,.0f}",
            "n": str(DRAWN),
            "distance": f"{nearest.distance:.3f}",
        },
        (
            Table((POSITION, *names), rows),
            Heatmap(
                POSITION,
                np.asarray(sinusoidal(np.arange(DRAWN), WIDTH)),
                Wording(
                    zh="左边的维度快，右边的慢；{light} 是 -1，{dark} 是 1",
                    en="fast dimensions left, slow ones right; {light} is -1, {dark} is 1",
                ),
            ),
        ),
        checked(("heatmap",), Settings(d_model=WIDTH, seq_len=DRAWN)),
    )


def distance() -> Demonstration:
    """Dot products by distance, from three starts."""
    rise = first_rise(DOTS_WIDTH) or 0
    rows = [
        [str(k), *digits(row, 3)]
        for k, row in zip(lessons.DISTANCES, lessons.dots_by_distance(DOTS_WIDTH), strict=True)
    ]
    return Demonstration(
        Wording(zh="点积只看距离", en="The dot product sees only the distance"),
        Wording(
            zh="取位置 p 和 p + k 的编码做点积（d = {d}）。每一行三个起点，三个数都一样：点积只取决于 k。"
            "离得越远，点积大体上越小，但不是一路下降：k 从 {before} 到 {rise} 时，它第一次回升。",
            en="Multiply out the encodings of p and p + k (d = {d}). Each row starts from three places and finds one"
            " number: only k counts. Far apart, the product is smaller on the whole, but not all the way: from"
            " k = {before} to {rise} it rises for the first time.",
        ),
        {"d": str(DOTS_WIDTH), "before": str(rise - 1), "rise": str(rise)},
        (Table(("k", *(f"p = {start}" for start in lessons.STARTS)), rows),),
        checked(("distance",), Settings(d_model=DOTS_WIDTH, seq_len=max(lessons.STARTS) + max(lessons.DISTANCES) + 1)),
    )


def shift() -> Demonstration:
    """Encodings carried on by one matrix, beside those computed at the place itself."""
    k, ends = SHIFTS[-1], [WIDTH - 2, WIDTH - 1]
    carried = np.asarray(shifted(MOVED_FROM, k, WIDTH))
    wanted = np.asarray(sinusoidal(np.add(MOVED_FROM, k), WIDTH))
    shown = [0, 1, *ends]
    rows = [
        [str(p), *digits(left[shown]), *digits(right[shown])]
        for p, left, right in zip(MOVED_FROM, carried, wanted, strict=True)
    ]
    worst = [[str(step), f"0..{CHECKED - 1}", small(shift_residual(step, CHECKED, WIDTH))] for step in SHIFTS]
    return Demonstration(
        Wording(zh="往后移 k 步，是同一个矩阵", en="Moving by k is one matrix"),
        Wording(
            zh="位置加 k，每根指针就各转过一个固定的角度。把这些转动排在对角线上，就是矩阵 M_k：{pairs} 个 2 x 2 的块，"
            "里面只有 k，没有 p。下表取 k = {k}，左边是 M_k 乘出来的，右边是在 p + k 处直接算的。",
            en="Add k to the position, and every hand turns by an angle of its own, the same from anywhere. Those turns"
            " along the diagonal are the matrix M_k: {pairs} blocks of 2 x 2 that know k and never p. With k = {k},"
            " left of each row is what M_k gives, right what is computed at p + k.",
        ),
        {"pairs": str(WIDTH // 2), "k": str(k)},
        (
            Table(("p", *(f"M PE[{c}]" for c in shown), *(f"PE[{c}]" for c in shown)), rows),
            Table(("k", "p", Wording(zh="最大偏差", en="largest deviation")), worst),
        ),
        checked(("shift_matrix",), Settings(d_model=WIDTH, seq_len=CHECKED, shift=k)),
    )


def rope() -> Demonstration:
    """The same q and k at seven pairs of places: rotated, and with sinusoids added."""
    scores = lessons.rope_vs_additive(pairing=PAIRING)
    rows = [
        [str(m), str(n), str(m - n), *digits(pair)]
        for m, n, *pair in zip(scores.m, scores.n, scores.rope, scores.additive, strict=True)
    ]
    q, _ = lessons.query_and_key(HEAD_DIM)
    lengths = [
        [str(p), *digits([length])]
        for p, length in zip(lessons.LENGTH_POSITIONS, lessons.rotated_lengths(pairing=PAIRING), strict=True)
    ]
    return Demonstration(
        Wording(zh="RoPE：旋转之后，分数只看相对位置", en="RoPE: after turning, scores see relative positions"),
        Wording(
            zh="同一个 q 放在位置 m，同一个 k 放在位置 n，各按自己的位置旋转，再做点积。m - n 相同的行，分数就相同。"
            "换成把正弦编码加上去，就不是这样。旋转也不改变长度：q 原来长 {length}，转到哪里都是这么长。",
            en="The same q stands at m and the same k at n; each is turned by its own position, then they are"
            " multiplied. Rows with the same m - n have the same score. With sinusoids added instead they do not."
            " And turning keeps lengths: q is {length} long wherever it goes.",
        ),
        {"length": f"{np.linalg.norm(q):.4f}"},
        (
            Table(("m", "n", "m - n", "RoPE", Wording(zh="加正弦编码", en="sinusoids added")), rows),
            Table((POSITION, Wording(zh="q 的长度", en="length of q")), lengths),
        ),
        checked(("rope",), Settings(head_dim=HEAD_DIM, d_model=HEAD_DIM, pairing=PAIRING)),
    )


def learned() -> Demonstration:
    """A small table, and sentences that it is too short for."""
    table = untrained_table(TABLE_ROWS, TABLE_DIM)
    rows = [[str(p), *digits(row)] for p, row in enumerate(table)]
    fits = Wording(zh="查得到", en="fits")
    answers = []
    for length in LENGTHS:
        refusal = first_overflow(length, rows=TABLE_ROWS)
        said = Wording(zh=NO_ROW.format(**vars(refusal)), en=str(refusal)) if refusal else fits
        answers.append((str(length), said))
    return Demonstration(
        Wording(zh="可学习的位置表：到最后一行为止", en="A learned table ends at its last row"),
        Wording(
            zh="每个位置一行数，训练前是随机的，训练时再学。读哪一行就得到哪一行，没有公式，所以表外的位置什么也没有。"
            "下面这张表有 {rows} 行。",
            en="Each position has a row of numbers, random at first, then trained. Reading it is all there is: no"
            " formula says what stands past the last row. This table has {rows}.",
        ),
        {"rows": str(TABLE_ROWS)},
        (
            Table((POSITION, *map(str, range(TABLE_DIM))), rows),
            Table((Wording(zh="句子长度", en="length of sentence"), Wording(zh="结果", en="result")), answers, (1,)),
        ),
        checked(("learned_table",), Settings(d_model=TABLE_DIM, seq_len=TABLE_ROWS)),
    )


def added() -> Demonstration:
    """Attention of four words on each other, without positions and with sinusoids added."""
    lesson = lessons.attention_lesson()
    n, d_model = lesson.table.shape
    weights = (lesson.weights_without.astype(np.float64), lesson.weights_with)
    kinds = (Wording(zh="没有位置", en="no positions"), Wording(zh="加正弦编码", en="sinusoids added"))
    rows: list[list[Cell]] = [
        [kind, str(i), *digits([*row, row.sum()])]
        for kind, table in zip(kinds, weights, strict=True)
        for i, row in enumerate(table)
    ]
    encoded = [[str(p), *digits(row)] for p, row in enumerate(lesson.table[:2])]
    return Demonstration(
        Wording(zh="加上位置，注意力就变了", en="Positions added, attention changes"),
        Wording(
            zh="{n} 个随机的词（NumPy 的 RandomState，种子 {seed}），q、k 都等于输入。先不加位置，再加上正弦编码："
            "权重变了，两张表的 Frobenius 距离是 {distance}；每一行加起来仍然是 1。",
            en="{n} random words (NumPy's RandomState, seed {seed}), with q = k = the input: first alone, then with"
            " sinusoids added. The weights change, by {distance} in Frobenius distance, and each row still sums to 1.",
        ),
        {"n": str(n), "seed": str(lessons.ATTENTION_SEED), "distance": f"{lesson.distance:.4f}"},
        (
            Table((POSITION, *(f"PE[{c}]" for c in range(d_model))), encoded),
            Table(
                (Wording(zh="权重", en="weights"), "q", *(f"k{j}" for j in range(n)), Wording(zh="和", en="sum")),
                rows,
                (0,),
            ),
        ),
        checked(
            ("equivariance_residual", "order_effect_sinusoidal", "row_sum_residual"),
            Settings(d_model=d_model, head_dim=d_model, seq_len=n),
        ),
    )


def rotated() -> Demonstration:
    """One head with RoPE, step by step, in NumPy."""
    lesson, moved = lesson_attention(), lesson_attention(shift=FAR)
    names = {"x": lesson.x, "q": lesson.q, "q_rotated": lesson.q_rotated, "weights": lesson.weights, "out": lesson.out}
    shapes = [[name, " x ".join(map(str, array.shape))] for name, array in names.items()]
    token = [[name, *digits(array[0, TOKEN])] for name, array in (("q", lesson.q), ("q_rotated", lesson.q_rotated))]
    weights = [[str(i), *digits([*row, row.sum()])] for i, row in enumerate(lesson.weights[0])]
    return Demonstration(
        Wording(zh="把 RoPE 放进注意力", en="RoPE inside attention"),
        Wording(
            zh="一个头，{n} 个词元。x 经过三个矩阵得到 q、k、v；只有 q、k 旋转，v 不转。输入和矩阵由 NumPy "
            "照 PyTorch 的办法从种子 {seed} 抽取，不必安装 PyTorch。所有位置都加上 {far}，权重最多只变 {change}。",
            en="One head, {n} tokens. Three matrices make q, k and v of x; only q and k turn, v does not. NumPy draws"
            " input and matrices as torch does with seed {seed}, so torch need not be there. Add {far} to all"
            " positions, and no weight changes by more than {change}.",
        ),
        {
            "n": str(SEQ_LEN),
            "seed": str(SEED),
            "far": str(FAR),
            "change": small(float(np.max(np.abs(moved.weights - lesson.weights)))),
        },
        (
            Table((Wording(zh="步骤", en="step"), Wording(zh="形状", en="shape")), shapes, (0, 1)),
            Table((Wording(zh=f"词元 {TOKEN}", en=f"token {TOKEN}"), *map(str, range(DIM))), token, (0,)),
            Table(("q", *(f"k{j}" for j in range(SEQ_LEN)), Wording(zh="和", en="sum")), weights),
        ),
        checked(
            ("weights_shift_residual", "cache_residual", "cache_position_error"),
            Settings(head_dim=DIM, seq_len=SEQ_LEN, shift=FAR),
        ),
    )


DEMONSTRATIONS = (heatmap, distance, shift, rope, learned, added, rotated)
