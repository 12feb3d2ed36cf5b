"""The code shown on the page, with the settings on screen filled in."""

from textwrap import dedent


def numpy(*, rows: int, dim: int, offset: int, n_tokens: int) -> str:
    """A script that prints how many tokens have no row, and the start of the last row read."""
    return dedent(f"""\
        import numpy as np

        table = np.random.default_rng(0).standard_normal(({rows}, {dim})) * 0.02
        offset = {offset}
        positions = np.arange({n_tokens})

        has_row = positions < len(table) - offset
        vectors = table[positions[has_row] + offset]
        print("tokens without a row:", int((~has_row).sum()))
        print(*(f"{{x:.4f}}" for x in vectors[-1, :4]))
        """)


def torch(*, rows: int, dim: int, offset: int, n_tokens: int) -> str:
    """The same with torch tensors, and what torch says when there is no row; the draws are NumPy's."""
    return dedent(f"""\
        import numpy as np
        import torch

        draws = np.random.default_rng(0).standard_normal(({rows}, {dim})) * 0.02
        table = torch.nn.Embedding.from_pretrained(torch.from_numpy(draws), freeze=False)
        offset = {offset}
        positions = torch.arange({n_tokens})

        try:
            table(positions + offset)
        except IndexError as error:
            print("torch says:", error)
        has_row = positions < table.num_embeddings - offset
        vectors = table(positions[has_row] + offset)
        print("tokens without a row:", int((~has_row).sum()))
        print(*(f"{{x:.4f}}" for x in vectors[-1, :4].tolist()))
        """)
