"""Layouts: the same numbers in another order, and what happens when two orders meet."""

import posenc
from pages.kit.cache import compute
from pages.kit.figure import columns
from pages.kit.opening import open_page
from pages.kit.text import DISTANCE, Label, number, scientific
from pages.layouts import faults, figures, snippets, words
from posenc import claims

PLACES = (3, 13)
X = (1, 2, 3, 4)
TOLERANCE = 1e-8
TOKENS = 16


def verdict(error: float) -> str:
    """A measured deviation, and whether it is only rounding."""
    return f"✓\N{NO-BREAK SPACE}{scientific(error)}" if error <= TOLERANCE else f"✗\N{NO-BREAK SPACE}{number(error, 2)}"


page = open_page(__file__)
figure, panel = page.stage()
page.try_this(
    (Label(zh="拖到头：数字都对上了", en="To the end: every number agrees"), {"progress": 60}),
    (Label(zh="正弦编码：同样的走法", en="Sinusoids travel the same way"), {"encoding": "sinusoid", "progress": 30}),
    (
        Label(zh="往回走，十六维：另一种重排", en="Back again, 16 channels: another order"),
        {"head_dim": 16, "target": "interleaved", "progress": 24},
    ),
)
page.reasons()
page.section("faults", words.FAULTS)
lengths = page.room()
page.section("silent")
silent = page.room()
page.section("weights", words.WEIGHTS)
weights = page.room()
page.section("spectrum", words.SPECTRUM)
spectrum = page.room()
page.section("users", words.USERS)
page.predict(
    (
        Label(zh="报错", en="An error"),
        Label(zh="检查不通过", en="The checks fail"),
        Label(zh="检查全部通过，输出却不对", en="All checks pass, and the output is wrong"),
    ),
    right=2,
)
page.close()


@page.alive
def draw() -> None:
    """What follows from the settings."""
    with panel:
        encoding = page.choose(words.ENCODING)
        width = page.choose(words.width_of(encoding))
        target = page.choose(words.target_of(encoding))
    source = "interleaved" if target == "half" else "half"
    settings = {"width": width, "encoding": encoding, "source": source, "target": target}
    converted = compute(posenc.conversion, positions=PLACES, **settings)

    @page.alive
    def draw_figure() -> None:
        with figure:
            page.live(figures.PROGRESS)
            page.live_figure(
                figures.permutation,
                alt=words.MOVING,
                numbers=lambda: figures.channels(converted.value),
                converted=converted,
                position=PLACES[0],
                **{name: settings[name] for name in ("encoding", "source", "target")},
            )
            names = (page.say(label, m=PLACES[0], n=PLACES[1]) for label in words.PRODUCTS[encoding])
            page.table({name: [number(x)] for name, x in zip(names, converted.value.products, strict=True)})
            rope = compute(claims.pairing_residual, seq_len=64, head_dim=width, source=source)
            same = rope if encoding == "rope" else compute(claims.layout_residual, seq_len=64, d_model=width)
            page.checked(same.value, words.SAME[encoding])

    with silent:
        ways = compute(posenc.mix_ups, head_dim=width, seq_len=TOKENS, pairing=source).value
        page.table(
            {
                page.say(words.WAY): [page.say(label) for label in (faults.RIGHT, faults.OTHER, *faults.WAYS[1:])],
                page.say(words.KEEPS): [verdict(way.norm_change) for way in ways],
                page.say(words.RELATIVE): [verdict(way.shift_change) for way in ways],
                page.say(words.SCORES): [verdict(way.score_error) for way in ways],
            },
            words=[page.say(words.WAY)],
        )

    @page.alive
    def draw_weights() -> None:
        with weights:
            heads = page.choose(words.HEADS)
            kv_heads = page.choose(words.kv_heads(heads))
            turn = {"num_heads": 1, "source": source, "target": target}
            there = tuple(map(int, compute(posenc.pairing_permutation, head_dim=width, **turn).value))
            back = compute(posenc.pairing_permutation, head_dim=width, source=target, target=source).value
            twice = compute(posenc.permute_projection, weight=there, **turn).value
            page.table(
                {
                    page.say(words.ORDER): [page.say(label) for label in words.ORDERS],
                    page.say(words.ROWS): [" ".join(map(str, order)) for order in (there, back, twice)],
                },
                words=(page.say(words.ORDER), page.say(words.ROWS)),
            )
            model = {"d_model": heads * width, "num_heads": heads, "num_kv_heads": kv_heads, "source": source}
            changes = {
                done: compute(claims.conversion_residual, seq_len=TOKENS, converted=done, **model).value
                for done in words.DONE
            }
            page.table(
                {
                    page.say(words.CHANGED): [page.say(label) for label in words.DONE.values()],
                    page.say(words.CHANGE): [verdict(change) for change in changes.values()],
                },
                words=[page.say(words.CHANGED)],
            )
            page.checked(changes["both"], words.CONVERTED)
            shown = {"head_dim": width, "num_heads": heads, "num_kv_heads": kv_heads, "target": target}
            page.listing(snippets.weights(**shown))
            page.download(words.SAVE, snippets.conversion_script(**shown), f"convert_rope_to_{target}.py")

    page.code(snippets.numpy(**settings), snippets.torch(**settings))


@page.alive
def draw_lengths() -> None:
    """The vector whose length is watched has settings of its own."""
    with lengths:
        page.live(faults.P)
        squared = compute(posenc.squared_lengths, x=X, positions=faults.POSITIONS)
        page.live_figure(
            faults.lengths,
            alt=words.LENGTHS,
            numbers=lambda: columns(
                "position", faults.POSITIONS, **dict(zip(faults.COLUMNS, squared.value, strict=True))
            ),
            squared=squared,
        )


@page.alive
def draw_spectrum() -> None:
    """So have the spectra."""
    with spectrum:
        d_model = page.choose(words.WIDTH)
        k = page.live(faults.K)
        compared = compute(posenc.compare_spectra, d_model=d_model, distances=faults.DISTANCES)
        page.live_figure(
            faults.spectra,
            alt=words.SPECTRA,
            numbers=lambda: columns(
                "distance",
                faults.DISTANCES,
                paper=compared.value.paper_dots,
                tensor2tensor=compared.value.tensor2tensor_dots,
            ),
            compared=compared,
        )
        page.table(
            {
                page.say(DISTANCE): [str(k)],
                page.say(faults.PAPER): [number(compared.value.paper_dots[k], 5)],
                page.say(faults.TENSOR2TENSOR): [number(compared.value.tensor2tensor_dots[k], 5)],
            }
        )
