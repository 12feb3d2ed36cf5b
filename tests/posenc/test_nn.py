"""The torch module: the lesson's digits, torch's own attention, caches, grouped heads, gradients."""

import dataclasses

import numpy as np
import pytest
import torch
from torch import nn
from torch.autograd import gradcheck
from torch.nn.functional import scaled_dot_product_attention

import posenc
from posenc.nn import KeyValueCache, RotarySelfAttention, lesson_model, token_by_token

pytestmark = pytest.mark.filterwarnings("error")

# recorded from the lesson's code: torch.manual_seed(42), x = torch.randn(2, 6, 8), then the module, all float32
Q_0_1 = [0.027347251772880554, 0.1169435977935791, -0.27976417541503906, 0.30056220293045044]
Q_0_1 += [-0.5601635575294495, -0.6276330947875977, -0.5665505528450012, -0.6104522347450256]
Q_ROTATED_0_1 = [-0.08362885564565659, 0.08619681000709534, -0.3083726763725281, 0.27113083004951477]
Q_ROTATED_0_1 += [-0.553859293460846, -0.6332032084465027, -0.5659397840499878, -0.6110184788703918]
WEIGHTS_0 = [
    [0.2925582826137543, 0.20597420632839203, 0.11525296419858932, 0.10997840762138367],
    [0.16415716707706451, 0.13888585567474365, 0.21389073133468628, 0.16437456011772156],
    [0.13418971002101898, 0.12478028237819672, 0.32822185754776, 0.1970861852169037],
    [0.11601875722408295, 0.15241794288158417, 0.340298593044281, 0.1937367469072342],
    [0.1347200572490692, 0.18091200292110443, 0.09119607508182526, 0.13340280950069427],
    [0.18119193613529205, 0.11981336027383804, 0.27905821800231934, 0.1781511902809143],
]
WEIGHTS_0_END = [
    [0.12470464408397675, 0.15153145790100098],
    [0.16661696135997772, 0.15207462012767792],
    [0.09772707521915436, 0.11799487471580505],
    [0.1296040564775467, 0.06792395561933517],
    [0.3138914108276367, 0.14587759971618652],
    [0.10505794733762741, 0.13672739267349243],
]
OUT_0_0 = [-0.02105274796485901, -0.1849173903465271, 0.31712377071380615, 0.12672320008277893]
OUT_0_0 += [-0.10867010056972504, 0.02574819326400757, -0.0475611686706543, -0.03141970932483673]
FLOAT32 = 1e-6


def module(dim=16, *, seed=0, dtype=torch.float64, **options):
    return RotarySelfAttention(dim, generator=torch.Generator().manual_seed(seed), **options).to(dtype)


def content(*shape, seed=1):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def test_the_lesson():
    x, model = lesson_model()
    steps = model.steps(x)
    for actual, expected in [
        (steps.q[0, 0, 1], Q_0_1),
        (steps.q_rotated[0, 0, 1], Q_ROTATED_0_1),
        (steps.weights[0, 0], [a + b for a, b in zip(WEIGHTS_0, WEIGHTS_0_END, strict=True)]),
        (steps.out[0, 0], OUT_0_0),
    ]:
        np.testing.assert_allclose(actual.detach().numpy(), expected, rtol=0, atol=FLOAT32)
    assert steps.out.shape == (2, 6, 8)
    assert torch.equal(steps.q[:, :, 0], steps.q_rotated[:, :, 0])  # position 0 does not turn


def test_the_lesson_is_what_a_global_seed_gives_and_leaves_the_global_generator_alone():
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(42)
        x = torch.randn(2, 6, 8)
        seeded = RotarySelfAttention(8)
        torch.manual_seed(42)
        torch.randn(2, 6, 8)
        linears = [nn.Linear(8, 8, bias=False) for _ in range(4)]
    before = torch.get_rng_state().clone()
    lesson_x, lesson = lesson_model()
    lesson(lesson_x)
    assert torch.equal(torch.get_rng_state(), before)
    assert torch.equal(lesson_x, x)
    parts = [lesson.q_proj, lesson.k_proj, lesson.v_proj, lesson.out_proj]
    for name, linear, part in zip(["q_proj", "k_proj", "v_proj", "out_proj"], linears, parts, strict=True):
        assert torch.equal(linear.weight, part.weight)
        assert torch.equal(getattr(seeded, name).weight, part.weight)
        assert part.bias is None


def reference(model, x, positions):
    """The module by torch's own attention and complex multiplication."""

    def heads(linear):
        return linear(x).view(*x.shape[:2], -1, model.head_dim).transpose(1, 2)

    def turned(part):
        width = model.rotary_dim or model.head_dim
        angles = positions[:, None] * model.base ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)
        pairs = part[..., :width].unflatten(-1, (-1, 2) if model.pairing == "interleaved" else (2, -1))
        pairs = pairs if model.pairing == "interleaved" else pairs.transpose(-1, -2)
        pairs = torch.view_as_real(torch.view_as_complex(pairs.contiguous()) * torch.polar(angles * 0 + 1, angles))
        pairs = pairs if model.pairing == "interleaved" else pairs.transpose(-1, -2)
        return torch.cat([pairs.flatten(-2), part[..., width:]], dim=-1)

    q, k, v = (heads(part) for part in (model.q_proj, model.k_proj, model.v_proj))
    mixed = scaled_dot_product_attention(turned(q), turned(k), v, is_causal=model.causal, enable_gqa=True)
    return model.out_proj(mixed.transpose(1, 2).flatten(2))


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("pairing", ["interleaved", "half"])
@pytest.mark.parametrize(("heads", "kv_heads", "rotary_dim"), [(1, None, None), (4, 4, 4), (4, 2, None), (4, 1, 2)])
def test_equals_torchs_attention_and_complex_multiplication(causal, pairing, heads, kv_heads, rotary_dim):
    model = module(
        32, num_heads=heads, num_kv_heads=kv_heads, rotary_dim=rotary_dim, pairing=pairing, causal=causal, base=500.0
    )
    x, positions = content(2, 7, 32), torch.arange(7) + 3
    torch.testing.assert_close(model(x, positions), reference(model, x, positions), rtol=0, atol=1e-12)


def test_steps_have_the_shapes_that_they_say():
    steps = module(32, num_heads=4, num_kv_heads=2).steps(content(3, 5, 32))
    shapes = {name: tuple(getattr(steps, name).shape) for name in vars(steps)}
    assert shapes == {
        "x": (3, 5, 32),
        "positions": (5,),
        **dict.fromkeys(("q", "q_rotated", "mixed"), (3, 4, 5, 8)),
        **dict.fromkeys(("k", "v", "k_rotated", "v_rotated"), (3, 2, 5, 8)),
        **dict.fromkeys(("scores", "weights"), (3, 4, 5, 5)),
        "out": (3, 5, 32),
    }


def test_steps_lead_to_each_other():
    model = module(32, num_heads=4, num_kv_heads=2, causal=True)
    steps = model.steps(content(3, 5, 32))
    # query heads 0 and 1 share key head 0, heads 2 and 3 key head 1
    k, v = (part.repeat_interleave(2, dim=1) for part in (steps.k_rotated, steps.v_rotated))
    torch.testing.assert_close(steps.scores, steps.q_rotated @ k.mT / 8**0.5, rtol=0, atol=1e-13)
    hidden = steps.scores.masked_fill(~torch.ones(5, 5).tril().bool(), -torch.inf)
    torch.testing.assert_close(steps.weights, torch.softmax(hidden, -1), rtol=0, atol=1e-14)
    torch.testing.assert_close(steps.mixed, steps.weights @ v, rtol=0, atol=1e-14)
    torch.testing.assert_close(steps.out, model.out_proj(steps.mixed.transpose(1, 2).flatten(2)), rtol=0, atol=1e-14)


def test_a_shift_of_all_positions_changes_nothing_unless_values_turn():
    x, at = content(2, 6, 16), torch.arange(6)
    model = module()
    torch.testing.assert_close(model(x, at + 1000), model(x, at), rtol=0, atol=1e-11)
    values_too = module(rotate_values=True)
    assert (values_too(x, at + 1000) - values_too(x, at)).abs().max() > 0.1


def test_without_rotation_the_module_is_equivariant_and_with_it_not():
    x, order = content(2, 6, 16), torch.tensor([3, 0, 5, 1, 2, 4])
    plain = module(rotate_queries_and_keys=False)
    torch.testing.assert_close(plain(x[:, order]), plain(x)[:, order], rtol=0, atol=1e-13)
    steps = plain.steps(x)
    assert steps.q_rotated is steps.q
    assert steps.k_rotated is steps.k
    assert (module()(x[:, order]) - module()(x)[:, order]).abs().max() > 1e-3


@pytest.mark.parametrize("options", [{}, {"num_heads": 4, "num_kv_heads": 2, "pairing": "half"}])
def test_cache_equals_all_at_once(options):
    # case A19
    model, x = module(causal=True, **options), content(2, 9, 16)
    expected = model(x)
    torch.testing.assert_close(token_by_token(model, x), expected, rtol=0, atol=1e-13)
    cache = KeyValueCache()
    pieces = [model(part, cache=cache) for part in x.split([4, 1, 3, 1], dim=1)]
    torch.testing.assert_close(torch.cat(pieces, dim=1), expected, rtol=0, atol=1e-13)
    assert cache.length == 9
    assert cache.keys.shape == cache.values.shape == (2, model.num_kv_heads, 9, model.head_dim)


def test_positions_that_do_not_count_on_break_the_cache():
    model, x = module(causal=True), content(2, 9, 16)
    stuck = token_by_token(model, x, positions=[0] * 9)
    assert (stuck - model(x)).abs().max() > 0.01
    assert torch.equal(stuck[:, 0], token_by_token(model, x)[:, 0])
    right = token_by_token(model, x, positions=torch.arange(9) + 100)
    torch.testing.assert_close(right, model(x), rtol=0, atol=1e-12)


def test_each_sequence_of_a_batch_may_have_its_own_positions():
    model, x = module(num_heads=2), content(2, 5, 16)
    positions = torch.tensor([[0, 1, 2, 3, 4], [7, 9, 2, 2, -1]])
    for b in range(2):
        torch.testing.assert_close(
            model(x, positions)[b : b + 1], model(x[b : b + 1], positions[b]), rtol=0, atol=1e-13
        )


def test_gradients_flow_to_everything_and_are_right():
    model, x = module(8, num_heads=2, num_kv_heads=1, causal=True), content(1, 3, 8).requires_grad_()
    assert gradcheck(model, (x,))
    model(x).square().sum().backward()
    for parameter in model.parameters():
        assert torch.isfinite(parameter.grad).all()
        assert parameter.grad.abs().max() > 0


def test_gradients_reach_back_through_the_cache():
    model, x = module(8, causal=True), content(1, 4, 8).requires_grad_()
    token_by_token(model, x)[:, -1].sum().backward()
    through_cache = x.grad.clone()
    x.grad = None
    model(x)[:, -1].sum().backward()
    torch.testing.assert_close(through_cache, x.grad, rtol=0, atol=1e-13)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_dtype_of_the_weights_is_kept(dtype):
    model = module(dtype=dtype, causal=True)
    steps = model.steps(content(1, 4, 16).to(dtype))
    assert all(
        getattr(steps, field.name).dtype == dtype for field in dataclasses.fields(steps) if field.name != "positions"
    )


def test_module_learns_with_an_optimiser():
    model, x = module(8, dtype=torch.float32), content(4, 6, 8).float()
    target = x.roll(1, dims=1)  # the token before: nothing but position tells which
    optimiser = torch.optim.Adam(model.parameters(), lr=0.02)
    losses = []
    for _ in range(60):
        optimiser.zero_grad()
        loss = (model(x) - target).square().mean()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    assert losses[-1] < 0.9 * losses[0]


def test_weights_load_into_another_module():
    source, target = module(seed=0), module(seed=5)
    target.load_state_dict(source.state_dict())
    x = content(1, 3, 16)
    assert torch.equal(source(x), target(x))


def test_converted_weights_give_the_same_outputs_in_the_other_pairing():
    # case A10, with grouped heads: keys have fewer heads than queries
    options = {"num_heads": 4, "num_kv_heads": 2, "causal": True}
    meta, hugging = module(32, **options), module(32, pairing="half", seed=9, **options)
    state = meta.state_dict()
    for name, heads in (("q_proj.weight", 4), ("k_proj.weight", 2)):
        state[name] = posenc.permute_projection(state[name], num_heads=heads, source="interleaved", target="half")
    hugging.load_state_dict(state)
    x = content(2, 6, 32)
    torch.testing.assert_close(hugging(x), meta(x), rtol=0, atol=1e-13)
    hugging.load_state_dict({**state, "k_proj.weight": meta.k_proj.weight})
    assert (hugging(x) - meta(x)).abs().max() > 1e-3


X = torch.zeros(2, 3, 8)
REFUSED = [
    (lambda: RotarySelfAttention(7), "dim must be a positive even integer .*, got 7"),
    (lambda: RotarySelfAttention(8, num_heads=3), "num_heads must be a divisor of dim / 2, 4, got 3"),
    (lambda: RotarySelfAttention(8, num_heads=8), "num_heads must be a divisor of dim / 2, 4, got 8"),
    (lambda: RotarySelfAttention(8, num_heads=0), "num_heads must be an integer from 1 .*, got 0"),
    (
        lambda: RotarySelfAttention(8, num_heads=4, num_kv_heads=3),
        "num_kv_heads must be a divisor of num_heads, 4, got 3",
    ),
    (lambda: RotarySelfAttention(8, base=1), "base must be a finite number above 1, got 1"),
    (lambda: RotarySelfAttention(8, pairing="x"), "pairing must be 'interleaved' or 'half', got 'x'"),
    (lambda: RotarySelfAttention(8, num_heads=2, rotary_dim=6), "rotary_dim must be .* of at most 4, got 6"),
    (lambda: RotarySelfAttention(8, causal=1), "causal must be True or False, got 1"),
    (lambda: RotarySelfAttention(8, rotate_values=None), "rotate_values must be True or False, got None"),
    (lambda: RotarySelfAttention(8)(X[0]), r"x must be \(batch, seq_len, 8\), got shape \(3, 8\)"),
    (lambda: RotarySelfAttention(8)(X[..., :6]), r"x must be \(batch, seq_len, 8\), got shape \(2, 3, 6\)"),
    (lambda: RotarySelfAttention(8)(X.double()), "x must be of the weights' dtype torch.float32, got torch.float64"),
    (lambda: RotarySelfAttention(8)(X.numpy()), "x must be a tensor, got array"),
    (lambda: RotarySelfAttention(8)(X, [0, 1]), r"positions must be \(3,\) or \(2, 3\), got shape \(2,\)"),
    (lambda: RotarySelfAttention(8)(X, [0, 1, float("nan")]), "positions must be finite real numbers, got .*"),
    (lambda: RotarySelfAttention(8)(X * torch.nan), r"x must be finite real numbers, got tensor\(\[\[\[nan"),
    (
        lambda: RotarySelfAttention(8)(X, cache=KeyValueCache()),
        "cache must be None unless the module is causal, got .*",
    ),
    (lambda: token_by_token(module(8, causal=True), X.double(), [0]), r"positions must be \(3,\), got shape \(1,\)"),
    (lambda: KeyValueCache().append(X, X), r"values must be of the keys' shape \(2, 3, 8\), four axes, got .*"),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_what_does_not_fit_is_refused(call, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        call()


def test_cache_of_another_batch_is_refused():
    model, cache = module(8, causal=True), KeyValueCache()
    model(X.double(), cache=cache)
    with pytest.raises(ValueError, match=r"^keys must be like those in the cache, .* got shape \(1, 1, 3, 8\)"):
        model(X[:1].double(), cache=cache)
    assert cache.length == 3
