"""The code shown on the page, with the settings on screen filled in."""

from textwrap import dedent


def numpy(*, p: int, d_model: int, base: int, distances: tuple[int, ...]) -> str:
    """A script that prints a column of the table for the start on screen, and the first rise."""
    return dedent(f"""\
        import numpy as np

        d, base = {d_model}, {base}
        omega = np.power(base, -np.arange(0, d, 2) / d)

        def encode(positions):
            angles = np.outer(positions, omega)
            table = np.empty((len(positions), d))
            table[:, 0::2], table[:, 1::2] = np.sin(angles), np.cos(angles)
            return table

        p, distances = {p}, np.array({list(distances)})
        for k, product in zip(distances, encode(p + distances) @ encode([p])[0]):
            print(f"k = {{k:2}}: {{product:.3f}}")

        kernel = np.cos(np.outer(np.arange(200), omega)).sum(axis=1)
        print("first rise: k =", np.flatnonzero(np.diff(kernel) > 0)[0] + 1)
        """)


def torch(*, p: int, d_model: int, base: int, distances: tuple[int, ...]) -> str:
    """The same with torch tensors."""
    return dedent(f"""\
        import torch

        d, base = {d_model}, {base}
        omega = torch.pow(base, -torch.arange(0, d, 2, dtype=torch.float64) / d)

        def encode(positions):
            angles = torch.outer(positions.double(), omega)
            return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)

        p, distances = torch.tensor([{p}]), torch.tensor({list(distances)})
        for k, product in zip(distances, encode(p + distances) @ encode(p)[0]):
            print(f"k = {{k:2}}: {{product:.3f}}")

        kernel = torch.outer(torch.arange(200).double(), omega).cos().sum(dim=1)
        print("first rise: k =", (kernel.diff() > 0).nonzero()[0].item() + 1)
        """)
