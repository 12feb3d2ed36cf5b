"""The code shown on the page, with the settings on screen filled in."""

from textwrap import dedent


def numpy(*, m: int, n: int, head_dim: int, base: int, pairing: str, rotary_dim: int) -> str:
    """A script that prints the score on screen."""
    return dedent(f"""\
        import numpy as np

        def rotate(x, position, base={base}, rotary_dim={rotary_dim}):
            inv_freq = np.power(float(base), -np.arange(0, rotary_dim, 2) / rotary_dim)
            angle = position * inv_freq
            first, second = {_members("x", pairing)}
            out = x.copy()
            {_assign("out", pairing)} = (
                first * np.cos(angle) - second * np.sin(angle),
                first * np.sin(angle) + second * np.cos(angle),
            )
            return out

        q, k = np.random.default_rng(0).standard_normal((2, {head_dim}))
        score = rotate(q, {m}) @ rotate(k, {n})
        print(f"{{score:.4f}}")
        """)


def torch(*, m: int, n: int, head_dim: int, base: int, pairing: str, rotary_dim: int) -> str:
    """The same with torch tensors; the draws are NumPy's, so the numbers are too."""
    return dedent(f"""\
        import numpy as np
        import torch

        def rotate(x, position, base={base}, rotary_dim={rotary_dim}):
            inv_freq = torch.pow(float(base), -torch.arange(0, rotary_dim, 2, dtype=torch.float64) / rotary_dim)
            angle = position * inv_freq
            first, second = {_members("x", pairing)}
            out = x.clone()
            {_assign("out", pairing)} = (
                first * torch.cos(angle) - second * torch.sin(angle),
                first * torch.sin(angle) + second * torch.cos(angle),
            )
            return out

        q, k = torch.from_numpy(np.random.default_rng(0).standard_normal((2, {head_dim})))
        score = rotate(q, {m}) @ rotate(k, {n})
        print(f"{{score:.4f}}")
        """)


def _members(name: str, pairing: str) -> str:
    if pairing == "half":
        return f"{name}[: rotary_dim // 2], {name}[rotary_dim // 2 : rotary_dim]"
    return f"{name}[0:rotary_dim:2], {name}[1:rotary_dim:2]"


_assign = _members
