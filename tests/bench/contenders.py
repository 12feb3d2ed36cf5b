"""What posenc is compared with: ways to make a table of sinusoids, and to turn queries, each ready to run.

A library that isn't installed is left out and named.
"""

import importlib
import importlib.util
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import torch

import posenc

LLAMA = "transformers, Llama"
IN_PLACE = ", into x itself"


@dataclass(frozen=True)
class Contender:
    """One way to the same result.

    Attributes:
        name: Library and function.
        group: What it is compared within: the pairing, or the layout of a table.
        run: Makes the result once.
        read: Brings the result into posenc's layout, as a NumPy array.
    """

    name: str
    group: str
    run: Callable[[], Any]
    read: Callable[[Any], np.ndarray] = np.asarray


Maker = Callable[..., Sequence[Contender]]


def tables(n: int, d_model: int) -> Iterator[tuple[str, Maker]]:
    """Name of the library -> what makes its contenders for the table of the positions 0 to n - 1."""
    yield (
        "posenc",
        lambda: [
            Contender(f"posenc, {layout}", layout, lambda layout=layout: posenc.sinusoidal(at, d_model, layout=layout))
            for layout in ("interleaved", "concatenated")
        ],
    )
    at, inv_freq = np.arange(n), posenc.inverse_frequencies(d_model)

    def plain(xp: Any, at: Any, inv_freq: Any) -> Any:
        angles, table = at[:, None] * inv_freq, xp.empty((n, d_model), dtype=xp.float64)
        table[:, 0::2], table[:, 1::2] = xp.sin(angles), xp.cos(angles)
        return table

    yield "numpy", lambda: [Contender("NumPy, sin and cos of each", "interleaved", lambda: plain(np, at, inv_freq))]
    tensors = torch.arange(n), torch.from_numpy(inv_freq)
    yield "torch", lambda: [Contender("torch, sin and cos of each", "interleaved", lambda: plain(torch, *tensors))]
    yield "transformers", lambda: _transformers_table(n, d_model)
    yield "diffusers", lambda: _diffusers_table(n, d_model)
    yield "x-transformers", lambda: _x_transformers_table(n, d_model)


def _transformers_table(n: int, d_model: int) -> Sequence[Contender]:
    make = _module("transformers.models.gptj.modeling_gptj").create_sinusoidal_positions
    return [Contender("transformers, GPT-J", "concatenated", lambda: make(n, d_model))]


def _diffusers_table(n: int, d_model: int) -> Sequence[Contender]:
    library, at = _module("diffusers.models.embeddings"), torch.arange(n, dtype=torch.float64)
    exact, timestep = library.get_1d_sincos_pos_embed_from_grid, library.get_timestep_embedding
    return [
        Contender("diffusers, 1d_sincos", "concatenated", lambda: exact(d_model, at)),
        Contender("diffusers, timestep", "concatenated", lambda: timestep(at, d_model, downscale_freq_shift=0)),
    ]


def _x_transformers_table(n: int, d_model: int) -> Sequence[Contender]:
    module = _module("x_transformers.x_transformers").ScaledSinusoidalEmbedding(d_model)
    x, scale = torch.empty(1, n, d_model), d_model**-0.5
    return [Contender("x-transformers, scaled", "concatenated", lambda: module(x), lambda table: table.numpy() / scale)]


def turns(x: torch.Tensor) -> Iterator[tuple[str, Maker]]:
    """Library -> contenders for turning x, (batch, heads, n, head_dim) float32, with sines and cosines given.

    Each gets x in the layout that it is written for. Those that turn q and k in one call get a k of no heads (Llama 4,
    which can't: of one head), so that everybody turns one tensor.
    """
    at, width = torch.arange(x.shape[2]), x.shape[3]
    yield "posenc", lambda: ours(x)
    yield "transformers", lambda: transformers_turns(x, at)
    yield "torchtune", lambda: [_torchtune(x, _torchtune_module().RotaryPositionalEmbeddings(width, x.shape[2]))]
    yield "rotary-embedding-torch", lambda: _rotary_embedding_torch(x)
    yield "x-transformers", lambda: _x_transformers(x)
    yield "diffusers", lambda: _diffusers(x, at)


def ours(x: torch.Tensor) -> Sequence[Contender]:
    """posenc in both pairings, of both kinds of array, into a new array and into x itself."""
    table = posenc.rotation_table(np.arange(x.shape[2]), x.shape[3]).astype(np.complex64)
    given = {"NumPy": (x.numpy(), table), "torch": (x, torch.from_numpy(table))}
    found = []
    for pairing in ("interleaved", "half"):
        for kind, (array, turn) in given.items():
            own = array.copy() if kind == "NumPy" else array.clone()
            run = lambda x, out, t=turn, p=pairing: posenc.rotate_by(x, t, pairing=p, out=out)  # noqa: E731
            found.append(Contender(f"posenc, {kind}", pairing, lambda run=run, x=array: run(x, None)))
            found.append(Contender(f"posenc, {kind}{IN_PLACE}", pairing, lambda run=run, x=own: run(x, x)))
    return found


def transformers_turns(x: torch.Tensor, at: torch.Tensor) -> Sequence[Contender]:
    """Llama (half), and the three ways to turn neighbours."""
    llama, cohere = (_module(f"transformers.models.{name}.modeling_{name}") for name in ("llama", "cohere"))
    gptj, llama4 = (_module(f"transformers.models.{name}.modeling_{name}") for name in ("gptj", "llama4"))
    none, per_token = x[:, :0], x.transpose(1, 2).contiguous()
    cos, sin = llama.LlamaRotaryEmbedding(_llama_config(llama, x))(x, at[None])
    pairs_cos, pairs_sin = (part[..., : x.shape[3] // 2] for part in (cos, sin))
    twice_cos, twice_sin = (part.repeat_interleave(2, dim=-1) for part in (pairs_cos, pairs_sin))
    turn = torch.complex(pairs_cos, pairs_sin)
    return [
        Contender(LLAMA, "half", lambda: llama.apply_rotary_pos_emb(x, none, cos, sin)[0]),
        Contender(
            "transformers, Cohere",
            "interleaved",
            lambda: cohere.apply_rotary_pos_emb(x, none, twice_cos, twice_sin)[0],
        ),
        Contender(
            "transformers, GPT-J",
            "interleaved",
            lambda: gptj.apply_rotary_pos_emb(per_token, pairs_sin, pairs_cos),
            _heads_first,
        ),
        Contender(
            "transformers, Llama 4 (complex)",
            "interleaved",
            lambda: llama4.apply_rotary_emb(per_token, per_token[:, :, :1], turn)[0],
            _heads_first,
        ),
    ]


def _llama_config(llama: ModuleType, x: torch.Tensor) -> Any:
    return llama.LlamaConfig(hidden_size=x.shape[1] * x.shape[3], num_attention_heads=x.shape[1])


def _torchtune(x: torch.Tensor, module: Any) -> Contender:
    per_token = x.transpose(1, 2).contiguous()
    return Contender("torchtune", "interleaved", lambda: module(per_token), _heads_first)


def _rotary_embedding_torch(x: torch.Tensor) -> Sequence[Contender]:
    rotary = _module("rotary_embedding_torch").RotaryEmbedding(dim=x.shape[3])
    rotary.rotate_queries_or_keys(x)  # fills its cache
    return [Contender("rotary-embedding-torch", "interleaved", lambda: rotary.rotate_queries_or_keys(x))]


def _x_transformers(x: torch.Tensor) -> Sequence[Contender]:
    library = _module("x_transformers.x_transformers")
    freqs, _ = library.RotaryEmbedding(x.shape[3]).forward_from_seq_len(x.shape[2])
    return [Contender("x-transformers", "interleaved", lambda: library.apply_rotary_pos_emb(x, freqs))]


def _diffusers(x: torch.Tensor, at: torch.Tensor) -> Sequence[Contender]:
    library = _module("diffusers.models.embeddings")
    angles = {"dim": x.shape[3], "pos": at, "freqs_dtype": torch.float64}
    neighbours = library.get_1d_rotary_pos_embed(**angles, use_real=True)
    halves = library.get_1d_rotary_pos_embed(**angles, use_real=True, repeat_interleave_real=False)
    turn = library.get_1d_rotary_pos_embed(**angles)[None].to(torch.complex64)
    per_token = x.transpose(1, 2).contiguous()
    rotary = library.apply_rotary_emb
    return [
        Contender("diffusers", "interleaved", lambda: rotary(x, neighbours)),
        Contender("diffusers (complex)", "interleaved", lambda: rotary(per_token, turn, use_real=False), _heads_first),
        Contender("diffusers", "half", lambda: rotary(x, halves, use_real_unbind_dim=-2)),
    ]


def turns_from_positions(x: torch.Tensor) -> Iterator[tuple[str, Maker]]:
    """Library -> contenders as in ``turns`` that are given positions: angles, sines and cosines are theirs to make.

    ``posenc.rotate`` also looks at every value of x and refuses what is not finite; nobody else does.
    """
    at, width = torch.arange(x.shape[2]), x.shape[3]
    given = {"NumPy": (x.numpy(), at.numpy()), "torch": (x, at)}
    yield (
        "posenc",
        lambda: [
            Contender(f"posenc, {kind}", p, lambda x=x, at=at, p=p: posenc.rotate(x, at, pairing=p))
            for p in ("interleaved", "half")
            for kind, (x, at) in given.items()
        ],
    )

    def llama() -> Sequence[Contender]:
        library, none = _module("transformers.models.llama.modeling_llama"), x[:, :0]
        rotary = library.LlamaRotaryEmbedding(_llama_config(library, x))
        return [Contender(LLAMA, "half", lambda: library.apply_rotary_pos_emb(x, none, *rotary(x, at[None]))[0])]

    def torchtune() -> Sequence[Contender]:
        per_token, module = x.transpose(1, 2).contiguous(), _torchtune_module().RotaryPositionalEmbeddings
        return [Contender("torchtune", "interleaved", lambda: module(width, x.shape[2])(per_token), _heads_first)]

    def rotary_embedding_torch() -> Sequence[Contender]:
        rotary = _module("rotary_embedding_torch").RotaryEmbedding(dim=width, cache_if_possible=False)
        return [Contender("rotary-embedding-torch", "interleaved", lambda: rotary.rotate_queries_or_keys(x))]

    def diffusers() -> Sequence[Contender]:
        library = _module("diffusers.models.embeddings")

        def run() -> torch.Tensor:
            cos_sin = library.get_1d_rotary_pos_embed(width, at, use_real=True, freqs_dtype=torch.float64)
            return library.apply_rotary_emb(x, cos_sin)

        return [Contender("diffusers", "interleaved", run)]

    yield "transformers", llama
    yield "torchtune", torchtune
    yield "rotary-embedding-torch", rotary_embedding_torch
    yield "diffusers", diffusers


def present(makers: Iterator[tuple[str, Maker]]) -> tuple[list[Contender], list[str]]:
    """The contenders whose libraries are installed, and the names of those that are not."""
    found: list[Contender] = []
    missing: list[str] = []
    for library, make in makers:
        try:
            found += make()
        except ModuleNotFoundError as error:
            missing.append(f"{library} ({error})")
    return found, missing


def _heads_first(result: Any) -> np.ndarray:
    return np.asarray(result.transpose(1, 2))


def _module(name: str) -> ModuleType:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of their own affairs
        return importlib.import_module(name)


def _torchtune_module() -> ModuleType:
    """torchtune's file by its path: its package wants torchao as soon as it is imported."""
    found = importlib.util.find_spec("torchtune")
    if found is None or not found.submodule_search_locations:
        raise ModuleNotFoundError("No module named 'torchtune'")
    path = Path(found.submodule_search_locations[0]) / "modules" / "position_embeddings.py"
    spec = importlib.util.spec_from_file_location("torchtune_position_embeddings", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
