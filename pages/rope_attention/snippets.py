"""The code shown on the page, with the settings on screen filled in."""

from textwrap import dedent, indent

import numpy as np


def numpy(
    *,
    q: np.ndarray,
    k: np.ndarray,
    v: np.ndarray,
    token: int,
    shift: int,
    rotate: bool,
    rotate_values: bool,
    causal: bool,
) -> str:
    """A script that prints the token's weights and its mixture of values, from the head's q, k and v on screen."""
    arrays = "\n".join(f"{name} = np.array([\n{_lines(part)}\n])" for name, part in (("q", q), ("k", k), ("v", v)))
    origin = "# q, k and v of the head on screen, before any turn: torch has drawn the weights that made them"
    return f"import numpy as np\n\n{origin}\n{arrays}\n" + dedent(f"""\
        positions = np.arange({len(q)}) + {shift}

        def rotate(x, base=10000):
            half = x.shape[-1] // 2
            angle = positions[:, None] * np.power(float(base), -np.arange(half) / half)
            first, second = x[:, 0::2], x[:, 1::2]
            out = np.empty_like(x)
            out[:, 0::2] = first * np.cos(angle) - second * np.sin(angle)
            out[:, 1::2] = first * np.sin(angle) + second * np.cos(angle)
            return out

        {_turns(rotate, rotate_values)}
        scores = q @ k.T / np.sqrt(q.shape[-1])
        {f"scores = np.where(np.tri({len(q)}, dtype=bool), scores, -np.inf)" if causal else "# no mask"}
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights = weights / weights.sum(axis=-1, keepdims=True)
        print("weights", *(f"{{x:.4f}}" for x in weights[{token}]))
        print("weights · v", *(f"{{x:.4f}}" for x in (weights @ v)[{token}]))
        """)


def torch(
    *,
    heads: int,
    kv_heads: int,
    sample: int,
    head: int,
    token: int,
    shift: int,
    rotate: bool,
    rotate_values: bool,
    causal: bool,
) -> str:
    """The whole module from its seed; prints the token's weights and its output."""
    return dedent(f"""\
        import math
        import torch
        from torch import nn

        heads, kv_heads = {heads}, {kv_heads}
        head_dim = 8 // heads
        torch.manual_seed(42)
        x = torch.randn(2, 6, 8).double()                    # (batch, seq_len, dim)
        widths = [8, kv_heads * head_dim, kv_heads * head_dim, 8]
        q_proj, k_proj, v_proj, out_proj = (nn.Linear(8, width, bias=False).double() for width in widths)
        positions = torch.arange(6) + {shift}

        def rotate(x, base=10000):
            inv_freq = torch.pow(float(base), -torch.arange(0, head_dim, 2, dtype=torch.float64) / head_dim)
            angle = positions[:, None] * inv_freq            # (seq_len, head_dim / 2)
            first, second = x[..., 0::2], x[..., 1::2]
            turned = [
                first * angle.cos() - second * angle.sin(),
                first * angle.sin() + second * angle.cos(),
            ]
            return torch.stack(turned, dim=-1).flatten(-2)

        q, k, v = (
            linear(x).unflatten(-1, (-1, head_dim)).transpose(1, 2)
            for linear in (q_proj, k_proj, v_proj)
        )                                                    # (batch, heads, seq_len, head_dim)
        {_turns(rotate, rotate_values)}
        k, v = (part.repeat_interleave(heads // kv_heads, dim=1) for part in (k, v))
        scores = q @ k.mT / math.sqrt(head_dim)              # (batch, heads, seq_len, seq_len)
        {"scores = scores.masked_fill(~torch.ones(6, 6).tril().bool(), -math.inf)" if causal else "# no mask"}
        weights = scores.softmax(dim=-1)
        out = out_proj((weights @ v).transpose(1, 2).flatten(2))
        print("weights", *(f"{{w:.4f}}" for w in weights[{sample}, {head}, {token}].tolist()))
        print("output", *(f"{{w:.4f}}" for w in out[{sample}, {token}].tolist()))
        """)


def _turns(rotate: bool, rotate_values: bool) -> str:
    """What turns, in one line."""
    turned = [*("q", "k")[: 2 * rotate], *("v",)[:rotate_values]]
    if not turned:
        return "# nothing turns"
    return f"{', '.join(turned)} = {', '.join(f'rotate({name})' for name in turned)}"


def _lines(part: np.ndarray) -> str:
    return indent("\n".join("[" + ", ".join(f"{x:.7f}" for x in row) + "]," for row in part), "    ")
