"""The code shown on the page, with the settings on screen filled in."""

from textwrap import dedent


def numpy(*, k: int, p: int, block: int, d_model: int, base: int, layout: str) -> str:
    """A script that prints the pair's block, its part of M_k PE(p) and of PE(p + k), and how far all parts differ."""
    return dedent(f"""\
        import numpy as np

        d_model, base = {d_model}, {base}
        freq = np.power(base, -np.arange(0, d_model, 2) / d_model)
        sines, cosines = {_channels("np.arange(d_model)", layout)}

        def encoding(position):
            out = np.zeros(d_model)
            out[sines], out[cosines] = np.sin(position * freq), np.cos(position * freq)
            return out

        def shift_matrix(k):
            out = np.zeros((d_model, d_model))
            out[sines, sines] = out[cosines, cosines] = np.cos(k * freq)
            out[sines, cosines], out[cosines, sines] = np.sin(k * freq), -np.sin(k * freq)
            return out

        matrix = shift_matrix({k})
        product, wanted = matrix @ encoding({p}), encoding({p} + {k})
        pair = [sines[{block}], cosines[{block}]]
        print(np.round(matrix[np.ix_(pair, pair)], 4))
        print(np.round(product[pair], 4), np.round(wanted[pair], 4))
        print(f"{{np.abs(product - wanted).max():.1e}}")
        """)


def torch(*, k: int, p: int, block: int, d_model: int, base: int, layout: str) -> str:
    """The same with torch tensors."""
    return dedent(f"""\
        import torch

        torch.set_default_dtype(torch.float64)
        torch.set_printoptions(precision=4, sci_mode=False)
        d_model, base = {d_model}, {base}
        freq = torch.pow(base, -torch.arange(0, d_model, 2) / d_model)
        sines, cosines = {_channels("torch.arange(d_model)", layout)}

        def encoding(position):
            out = torch.zeros(d_model)
            out[sines], out[cosines] = torch.sin(position * freq), torch.cos(position * freq)
            return out

        def shift_matrix(k):
            out = torch.zeros(d_model, d_model)
            out[sines, sines] = out[cosines, cosines] = torch.cos(k * freq)
            out[sines, cosines], out[cosines, sines] = torch.sin(k * freq), -torch.sin(k * freq)
            return out

        matrix = shift_matrix({k})
        product, wanted = matrix @ encoding({p}), encoding({p} + {k})
        pair = torch.stack([sines[{block}], cosines[{block}]])
        print(matrix[pair][:, pair])
        print(product[pair], wanted[pair])
        print(f"{{(product - wanted).abs().max():.1e}}")
        """)


def _channels(channel: str, layout: str) -> str:
    if layout == "concatenated":
        return f"{channel}.reshape(2, -1)"
    return f"{channel}.reshape(-1, 2).T"
