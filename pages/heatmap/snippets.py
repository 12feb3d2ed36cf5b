"""The code shown on the page, with the settings on screen filled in."""

from textwrap import dedent


def numpy(*, n_positions: int, d_model: int, base: int, layout: str, position: int, dimension: int) -> str:
    """A script that prints the chosen cell and how many positions its wave takes."""
    pair = _pair(dimension, d_model, layout)
    join = {
        "interleaved": "np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(n_positions, d_model)",
        "concatenated": "np.concatenate([np.sin(angle), np.cos(angle)], axis=-1)",
    }[layout]
    return dedent(f"""\
        import numpy as np

        def sinusoidal(n_positions, d_model, base={base}):
            inv_freq = np.power(float(base), -np.arange(0, d_model, 2) / d_model)   # (d_model / 2,)
            angle = np.arange(n_positions)[:, None] * inv_freq         # (n_positions, d_model / 2)
            return {join}

        table = sinusoidal({n_positions}, {d_model})
        print(f"{{table[{position}, {dimension}]:.10f}}")
        print(f"{{2 * np.pi * np.power({base}.0, 2 * {pair} / {d_model}):.6f}}")
        """)


def torch(*, n_positions: int, d_model: int, base: int, layout: str, position: int, dimension: int) -> str:
    """The same with torch tensors."""
    pair = _pair(dimension, d_model, layout)
    join = {
        "interleaved": "torch.stack([angle.sin(), angle.cos()], dim=-1).reshape(n_positions, d_model)",
        "concatenated": "torch.cat([angle.sin(), angle.cos()], dim=-1)",
    }[layout]
    return dedent(f"""\
        import torch

        def sinusoidal(n_positions, d_model, base={base}):
            two_i = torch.arange(0, d_model, 2, dtype=torch.float64)
            position = torch.arange(n_positions, dtype=torch.float64)
            angle = position[:, None] * torch.pow(base, -two_i / d_model)     # (n_positions, d_model / 2)
            return {join}

        table = sinusoidal({n_positions}, {d_model})
        print(f"{{table[{position}, {dimension}]:.10f}}")
        print(f"{{2 * torch.pi * pow({base}, 2 * {pair} / {d_model}):.6f}}")
        """)


def _pair(dimension: int, d_model: int, layout: str) -> int:
    return dimension // 2 if layout == "interleaved" else dimension % (d_model // 2)
