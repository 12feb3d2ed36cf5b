"""RoPE: turning pairs makes attention relative."""

import posenc
from pages.kit.cache import compute
from pages.kit.figure import columns, grid
from pages.kit.opening import open_page
from pages.kit.settings import BASE, HEAD_DIM, PAIRING, Choice, Whole
from pages.kit.text import KEY_POSITION, PAIR, QUERY_POSITION, Label, number
from pages.rope import figures, snippets
from posenc import claims, lessons

POSITIONS = range(figures.M.maximum + 1)
ROTARY = Label(zh="参与旋转的部分", en="part that turns")
PARTS = {"all": 1, "half": 2, "quarter": 4}
PART_NAMES = {
    "all": Label(zh="全部", en="all"),
    "half": Label(zh="一半", en="half"),
    "quarter": Label(zh="四分之一", en="quarter"),
}
PEAK = Whole("peak", Label(zh="选定的峰值距离", en="distance chosen for the peak"), 0, 256, 40)
DISTANCES = range(PEAK.maximum + 1)

DIAL = Label(
    zh="左边：一对维度中 q、k 的箭头随位置转动。右上：分数随相对位置变化的曲线。右下：每一对维度的贡献。",
    en="Left: q and k in one pair, turning with position. Right: the score by relative position, and each pair’s part.",
)
DECAY = Label(
    zh="三条分数随距离变化的曲线：q = k 时走低，q、k 随机时围绕零，专门构造的一对在选定距离处最高。",
    en="Score against distance: falling for q = k, zero on average for random ones, a peak where chosen.",
)
RELATIVE = Label(zh="q、k 一起平移，分数不变", en="moving q and k together leaves the score unchanged")
LENGTH = Label(zh="旋转不改变向量长度", en="turning leaves the length of a vector unchanged")
COMPARE = Label(zh="旋转与相加，并排比较", en="Rotating against adding, side by side")
LENGTHS = Label(zh="长度不变", en="Lengths are kept")
FADES = Label(zh="RoPE 会随距离衰减吗？", en="Does RoPE fade with distance?")
ROTATED = Label(zh="旋转（RoPE）", en="rotated (RoPE)")
ADDED = Label(zh="加上正弦编码", en="sinusoids added")
AT = Label(zh="位置", en="position")
NORM = Label(zh="q 旋转后的长度", en="length of q after turning")

page = open_page(__file__)
figure, panel = page.stage()
page.try_this(
    (Label(zh="两个都往后挪十个：分数不变", en="Move both by ten: same score"), {"m": 19, "n": 14}),
    (Label(zh="交换 m 和 n：分数变了", en="Swap m and n: another score"), {"m": 4, "n": 9}),
    (Label(zh="最慢的一对：几乎不转", en="The slowest pair: it barely turns"), {"m": 60, "n": 4, "pair": 3}),
)
page.reasons()
page.section("compare", COMPARE)
compare = page.room()
page.section("lengths", LENGTHS)
lengths = page.room()
page.section("decay", FADES)
decay = page.room()
page.predict(
    (Label(zh="变大", en="It grows"), Label(zh="不变", en="It stays"), Label(zh="变小", en="It shrinks")), right=1
)
page.close()


@page.alive
def draw() -> None:
    """What follows from the settings."""
    with panel:
        head_dim = page.choose(HEAD_DIM)
        base = page.choose(BASE)
        pairing = page.choose(PAIRING)
        possible = tuple(name for name, share in PARTS.items() if head_dim % (2 * share) == 0)
        part = page.choose(Choice("rotary", ROTARY, possible, "all", PART_NAMES))
        rotary_dim = head_dim // PARTS[part]
        pair = page.slide(Whole("pair", PAIR, 0, rotary_dim // 2 - 1, 1))
    q, k = (tuple(map(float, x)) for x in compute(lessons.query_and_key, head_dim=head_dim).value)
    turn = {"base": base, "pairing": pairing, "rotary_dim": rotary_dim}

    @page.alive
    def draw_figure() -> None:
        with figure:
            m, n = page.live(figures.M), page.live(figures.N)
            scores = compute(posenc.score, q=q, k=k, m=tuple((p,) for p in POSITIONS), n=POSITIONS, **turn)
            page.live_figure(
                figures.rotation,
                alt=DIAL,
                numbers=lambda: grid("score", scores.value, m=POSITIONS, n=POSITIONS),
                q_turned=compute(posenc.turned_pairs, x=q, positions=POSITIONS, **turn),
                k_turned=compute(posenc.turned_pairs, x=k, positions=POSITIONS, **turn),
                scores=scores,
                parts=compute(posenc.pair_scores, q=q, k=k, m=range(-len(POSITIONS) + 1, len(POSITIONS)), n=0, **turn),
                pair=pair,
            )
            residual = compute(claims.relative_residual, seq_len=len(POSITIONS), shift=1000, head_dim=head_dim, **turn)
            page.checked(residual.value, RELATIVE)
        settings = {"m": m, "n": n, "head_dim": head_dim, **turn}
        page.code(snippets.numpy(**settings), snippets.torch(**settings))

    with compare:
        table = compute(lessons.rope_vs_additive, base=base, pairing=pairing).value
        page.table(
            {
                page.say(QUERY_POSITION): [str(x) for x in table.m],
                page.say(KEY_POSITION): [str(x) for x in table.n],
                "m\N{NO-BREAK SPACE}−\N{NO-BREAK SPACE}n": [number(x, 0) for x in table.m - table.n],
                page.say(ROTATED): [number(x) for x in table.rope],
                page.say(ADDED): [number(x) for x in table.additive],
            }
        )
    with lengths:
        norms = compute(lessons.rotated_lengths, base=base, pairing=pairing).value
        places = [str(p) for p in lessons.LENGTH_POSITIONS]
        page.table({page.say(AT): places, page.say(NORM): [number(x) for x in norms]})
        page.checked(compute(claims.rotation_norm_residual, head_dim=head_dim, **turn).value, LENGTH)

    @page.alive
    def draw_decay() -> None:
        with decay:
            peak = page.slide(PEAK)
            content = {"head_dim": head_dim, "base": base, "pairing": pairing}
            looking = compute(posenc.peaked_pair, distance=peak, **content).value
            q_peaked, k_peaked = (tuple(map(float, x)) for x in looking)
            equal, independent = (
                compute(posenc.random_score_spread, distances=DISTANCES, content=kind, **content)
                for kind in ("equal", "independent")
            )
            peaked = compute(
                posenc.score_curve, q=q_peaked, k=k_peaked, distances=DISTANCES, base=base, pairing=pairing
            )
            page.figure(
                figures.decay,
                alt=DECAY,
                regardless={"pair", "rotary"},
                numbers=lambda: columns(
                    "distance",
                    DISTANCES,
                    equal_mean=equal.value.mean,
                    equal_std=equal.value.std,
                    independent_mean=independent.value.mean,
                    independent_std=independent.value.std,
                    peaked=peaked.value,
                ),
                equal=equal,
                independent=independent,
                peaked=peaked,
                peak=peak,
            )
