"""Other people's implementations, where they are installed; where CI is set they have to be.

transformers 5.24 (Llama half-split, GPT-J interleaved, GPT-NeoX partial), rotary-embedding-torch 0.9.1 and
torchtune 0.6.1.
"""

import importlib.util
import os
from pathlib import Path

import numpy as np
import pytest
import torch

import posenc
from posenc.nn import RotarySelfAttention

pytestmark = pytest.mark.filterwarnings("error")

AT = torch.tensor([0, 1, 2, 5, 17, 100])
X = torch.randn(2, 3, len(AT), 16, generator=torch.Generator().manual_seed(0))  # (batch, heads, n, head_dim)
FLOAT32 = 2e-5
"""Their angles are float32: at position 100 they are right to 100 x 6e-8 a radian, on values up to 3."""


def required(name):
    """The module; without it a skip, or a failure where CI is set."""
    if os.environ.get("CI"):
        return importlib.import_module(name)
    return pytest.importorskip(name)


def torchtune_positions():
    """torchtune's file by its path: its package wants torchao as soon as it is imported."""
    found = importlib.util.find_spec("torchtune")
    if found is None:
        if os.environ.get("CI"):
            raise ModuleNotFoundError("torchtune")
        pytest.skip("torchtune is not installed")
    path = Path(found.submodule_search_locations[0]) / "modules" / "position_embeddings.py"
    spec = importlib.util.spec_from_file_location("torchtune_position_embeddings", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def close(actual, expected, tolerance=FLOAT32):
    torch.testing.assert_close(actual, expected, rtol=0, atol=tolerance)


def test_a_missing_library_skips_here_and_fails_in_ci(monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception):
        required("posenc_has_no_such_library")
    monkeypatch.setenv("CI", "true")
    with pytest.raises(ModuleNotFoundError):
        required("posenc_has_no_such_library")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ModuleNotFoundError, match="torchtune"):
        torchtune_positions()
    monkeypatch.delenv("CI")
    with pytest.raises(pytest.skip.Exception):
        torchtune_positions()


@pytest.mark.parametrize("base", [10_000.0, 500_000.0])
def test_llama_in_transformers_pairs_halves(base):
    llama = required("transformers.models.llama.modeling_llama")
    config = llama.LlamaConfig(
        hidden_size=48, num_attention_heads=3, rope_parameters={"rope_type": "default", "rope_theta": base}
    )
    cos, sin = llama.LlamaRotaryEmbedding(config)(X, AT[None])
    q, k = llama.apply_rotary_pos_emb(X, X.flip(-1), cos, sin)
    close(posenc.rotate(X, AT, base=base, pairing="half"), q)
    close(posenc.rotate(X.flip(-1), AT, base=base, pairing="half"), k)
    assert (posenc.rotate(X, AT, base=base) - q).abs().max() > 0.1


def test_whole_llama_attention_in_transformers():
    llama = required("transformers.models.llama.modeling_llama")
    config = llama.LlamaConfig(
        hidden_size=32,
        num_attention_heads=4,
        num_key_value_heads=2,
        rope_parameters={"rope_type": "default", "rope_theta": 10_000.0},
        attn_implementation="eager",
    )
    with torch.random.fork_rng(devices=[]):
        theirs = llama.LlamaAttention(config, layer_idx=0).eval()
    ours = RotarySelfAttention(32, num_heads=4, num_kv_heads=2, pairing="half", causal=True)
    names = {"q_proj": "q_proj", "k_proj": "k_proj", "v_proj": "v_proj", "o_proj": "out_proj"}
    ours.load_state_dict({f"{names[n]}.weight": getattr(theirs, n).weight for n in names})
    x = torch.randn(2, 6, 32, generator=torch.Generator().manual_seed(1))
    rope = llama.LlamaRotaryEmbedding(config)(x, torch.arange(6)[None])
    hidden = torch.zeros(6, 6).masked_fill(torch.ones(6, 6).triu(1).bool(), torch.finfo(torch.float32).min)
    expected, weights = theirs(x, rope, hidden[None, None])
    steps = ours.steps(x)
    close(steps.weights, weights, 1e-6)
    close(steps.out, expected, 1e-6)


def test_gptj_in_transformers_pairs_neighbours_and_turns_a_part():
    gptj = required("transformers.models.gptj.modeling_gptj")
    sin, cos = gptj.create_sinusoidal_positions(128, 8)[AT].split(4, dim=-1)
    x = X.transpose(1, 2)  # they keep heads behind the sequence
    turned = gptj.apply_rotary_pos_emb(x[..., :8], sin[None], cos[None])
    expected = torch.cat([turned, x[..., 8:]], dim=-1).transpose(1, 2)
    close(posenc.rotate(X, AT, rotary_dim=8), expected)


def test_gpt_neox_in_transformers_pairs_halves_of_a_part():
    neox = required("transformers.models.gpt_neox.modeling_gpt_neox")
    config = neox.GPTNeoXConfig(
        hidden_size=48,
        num_attention_heads=3,
        rope_parameters={"rope_type": "default", "rope_theta": 10_000.0, "partial_rotary_factor": 0.25},
    )
    cos, sin = neox.GPTNeoXRotaryEmbedding(config)(X, AT[None])
    q, _ = neox.apply_rotary_pos_emb(X, X, cos, sin)
    close(posenc.rotate(X, AT, pairing="half", rotary_dim=4), q)
    assert torch.equal(q[..., 4:], X[..., 4:])


def test_conversion_is_the_permutation_of_transformers():
    required("transformers")
    heads, width, weight = 4, 8, torch.arange(32 * 3, dtype=torch.float32).reshape(32, 3)
    # the conversion script's reshape: pairs of neighbours become two halves
    expected = weight.reshape(heads, width // 2, 2, 3).transpose(1, 2).reshape(32, 3)
    assert torch.equal(
        posenc.permute_projection(weight, num_heads=heads, source="interleaved", target="half"), expected
    )


def test_rotary_embedding_torch_pairs_neighbours():
    library = required("rotary_embedding_torch")
    rotary = library.RotaryEmbedding(dim=16, cache_if_possible=False)
    x = X.repeat(1, 1, 3, 1)  # positions 0 to 17
    close(posenc.rotate(x, np.arange(18)), rotary.rotate_queries_or_keys(x))
    partial = library.RotaryEmbedding(dim=8, theta=500_000, cache_if_possible=False)
    close(posenc.rotate(x, np.arange(18), base=500_000, rotary_dim=8), partial.rotate_queries_or_keys(x))


def test_rotary_embedding_torch_goes_on_counting_behind_a_cache():
    library = required("rotary_embedding_torch")
    rotary = library.RotaryEmbedding(dim=16, cache_if_possible=False)
    close(posenc.rotate(X[:, :, :1], [5]), rotary.rotate_queries_or_keys(X[:, :, :1], offset=5))


def test_torchtune_pairs_neighbours():
    rotary = torchtune_positions().RotaryPositionalEmbeddings(16, max_seq_len=128)
    expected = rotary(X.transpose(1, 2), input_pos=AT.expand(2, -1)).transpose(1, 2)
    close(posenc.rotate(X, AT), expected)
