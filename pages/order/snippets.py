"""The code shown on the page, with the settings on screen filled in."""

from collections.abc import Mapping, Sequence

WIDTH = 8

NUMPY = {
    "import": "import numpy as np",
    "tensor": "{}",
    "angles": "np.outer(np.arange(len(x)), np.power(10000.0, -np.arange(0, {d}, 2) / {d}))",
    "cos": "np.cos(angles)",
    "sin": "np.sin(angles)",
    "joined": "np.stack([{}, {}], axis=-1).reshape(x.shape)",
    "hide": "scores[np.triu_indices(len(x), 1)] = -np.inf",
    "softmax": "powers = np.exp(scores - scores.max(axis=1, keepdims=True))\n        "
    "x = x + powers / powers.sum(axis=1, keepdims=True) @ v",
    "lengths": "np.linalg.norm(change, axis=1)",
    "largest": "np.abs(change).max()",
}
TORCH = {
    "import": "import numpy as np\nimport torch",
    "tensor": "torch.from_numpy({})",
    "angles": "torch.outer(torch.arange(len(x)).double(), torch.pow(10000.0, -torch.arange(0, {d}, 2).double() / {d}))",
    "cos": "angles.cos()",
    "sin": "angles.sin()",
    "joined": "torch.stack([{}, {}], dim=-1).reshape(x.shape)",
    "hide": "scores = scores.masked_fill(torch.ones_like(scores).triu(1).bool(), -torch.inf)",
    "softmax": "x = x + scores.softmax(dim=1) @ v",
    "lengths": "change.norm(dim=1)",
    "largest": "change.abs().max()",
}


def numpy(*, words: Sequence[str], permutation: Sequence[int], positions: str, causal: bool, layers: int) -> str:
    """A script that prints how far each word's output moved, in the order on screen, and the largest change."""
    return _script(NUMPY, words, permutation, positions, causal, layers)


def torch(*, words: Sequence[str], permutation: Sequence[int], positions: str, causal: bool, layers: int) -> str:
    """The same with torch tensors; the draws are NumPy's, so the numbers are too."""
    return _script(TORCH, words, permutation, positions, causal, layers)


def _script(
    says: Mapping[str, str], words: Sequence[str], permutation: Sequence[int], positions: str, causal: bool, layers: int
) -> str:
    drawn = says["tensor"].format(f"np.random.default_rng([0, 0]).standard_normal(({layers}, 3, {WIDTH}, {WIDTH}))")
    stacked = says["tensor"].format("np.stack([embed(word) for word in words])")
    parts = [
        f"import hashlib\nimport unicodedata\n\n{says['import']}\n",
        f"words = {list(map(str, words))!r}",
        f"order = {list(map(int, permutation))}\n",
        "def embed(word):  # random numbers, always the same for the same word",
        '    spelling = unicodedata.normalize("NFC", word).encode()',
        '    seed = int.from_bytes(hashlib.sha256(spelling).digest(), "big")',
        f"    return np.random.default_rng([0, 1, seed]).standard_normal({WIDTH})\n",
        f"projections = {drawn} / np.sqrt({WIDTH})\n",
    ]
    if positions == "rope":
        parts += [
            "def turn(x, angles):",
            f"    first, second, cos, sin = x[:, 0::2], x[:, 1::2], {says['cos']}, {says['sin']}",
            f"    return {says['joined'].format('first * cos - second * sin', 'first * sin + second * cos')}\n",
        ]
    parts.append("def attend(x):")
    if positions != "none":
        parts.append(f"    angles = {says['angles'].format(d=WIDTH)}")
    if positions == "sinusoidal":
        parts.append(f"    x = x + {says['joined'].format(says['sin'], says['cos'])}")
    parts += ["    for to_q, to_k, to_v in projections:", "        q, k, v = x @ to_q, x @ to_k, x @ to_v"]
    if positions == "rope":
        parts.append("        q, k = turn(q, angles), turn(k, angles)")
    parts.append(f"        scores = q @ k.T / np.sqrt({WIDTH})")
    if causal:
        parts.append(f"        {says['hide']}")
    parts += [
        f"        {says['softmax']}",
        "    return x\n",
        f"x = {stacked}",
        "change = attend(x[order]) - attend(x)[order]",
        f"for i, length in zip(order, {says['lengths']}):",
        '    print(f"{words[i]}: {length:.4f}")',
        f'print(f"largest change: {{{says["largest"]}:.1e}}")',
    ]
    return "\n".join(parts) + "\n"
