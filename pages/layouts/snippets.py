"""The code shown on the page, with the settings on screen filled in."""

from textwrap import dedent

RESHAPE = {"half": "reshape(-1, 2).T.reshape(-1)", "interleaved": "reshape(2, -1).T.reshape(-1)"}
"""Where the channels of the target come from."""
NAMES = {"half": "halves", "interleaved": "neighbours"}
ENCODE = {
    "rope": """\
        def rotate(x, position, first, second):
            angle = position * inv_freq
            a, b, out = x[first], x[second], {xp}.empty_like(x)
            out[first] = a * {xp}.cos(angle) - b * {xp}.sin(angle)
            out[second] = a * {xp}.sin(angle) + b * {xp}.cos(angle)
            return out

        q = {xp}.arange(1.0, width + 1)
        k = {xp}.arange(width, 0.0, -1)
        old = rotate(q, 3, *{source}), rotate(k, 13, *{source})
        new = rotate(q[order], 3, *{target}), rotate(k[order], 13, *{target})
        """,
    "sinusoid": """\
        def encode(position, sines, cosines):
            out = {xp}.empty(width)
            out[sines], out[cosines] = {xp}.sin(position * inv_freq), {xp}.cos(position * inv_freq)
            return out

        old = encode(3, *{source}), encode(13, *{source})
        new = encode(3, *{target}), encode(13, *{target})
        """,
}
SHARED = """\
        {head}
        width = {width}
        inv_freq = {xp}.{power}(10000.0, -{xp}.arange(0, width, 2) / width)
        order = {xp}.arange(width).{reshape}
        neighbours = slice(0, None, 2), slice(1, None, 2)
        halves = slice(0, width // 2), slice(width // 2, None)

        """
PRINTED = """\

        for numbers in (old[0], new[0]):
            print(*(f"{x:.2f}" for x in numbers))
        print(f"{old[0] @ old[1]:.4f} {new[0] @ new[1]:.4f} {new[0] @ old[1]:.4f}")
        print(bool((old[0][order] == new[0]).all()))
        """


def numpy(*, width: int, encoding: str, source: str, target: str) -> str:
    """A script that prints the numbers on the tiles and those under them, three dot products, and whether all agree."""
    return _script("import numpy as np\n", "np", "power", width, encoding, source, target)


def torch(*, width: int, encoding: str, source: str, target: str) -> str:
    """The same with torch tensors."""
    head = "import torch\n\ntorch.set_default_dtype(torch.float64)"
    return _script(head, "torch", "pow", width, encoding, source, target)


def _script(head: str, xp: str, power: str, width: int, encoding: str, source: str, target: str) -> str:
    text = "".join(map(dedent, (SHARED, ENCODE[encoding])))
    filled = text.format(
        head=head,
        xp=xp,
        power=power,
        width=width,
        reshape=RESHAPE[target],
        source=NAMES[source],
        target=NAMES[target],
    )
    return filled + dedent(PRINTED)


def weights(*, head_dim: int, num_heads: int, num_kv_heads: int, target: str) -> str:
    """What converts a model's query and key weights, in NumPy or torch."""
    return dedent(f"""\
        import numpy as np

        HEAD_DIM, NUM_HEADS, NUM_KV_HEADS = {head_dim}, {num_heads}, {num_kv_heads}

        def order(num_heads):
            \"""Row i of the new weight is row order[i] of the old one: from {_other(target)} to {NAMES[target]}.\"""
            within = np.arange(HEAD_DIM).{RESHAPE[target]}
            return np.concatenate([head * HEAD_DIM + within for head in range(num_heads)])

        def convert(q_weight, k_weight):
            \"""Both projections, (heads * HEAD_DIM, width), or both biases: NumPy arrays or torch tensors.\"""
            return q_weight[order(NUM_HEADS)], k_weight[order(NUM_KV_HEADS)]
        """)


def conversion_script(*, head_dim: int, num_heads: int, num_kv_heads: int, target: str) -> str:
    """``weights`` as a file of its own, with a check that scores stay only if both are converted."""
    settings = {"head_dim": head_dim, "num_heads": num_heads, "num_kv_heads": num_kv_heads, "target": target}
    source = "interleaved" if target == "half" else "half"
    return weights(**settings) + dedent(f"""\

        neighbours = slice(0, None, 2), slice(1, None, 2)
        halves = slice(0, HEAD_DIM // 2), slice(HEAD_DIM // 2, None)

        def rotate(x, first, second):
            \"""x (heads, tokens, HEAD_DIM), each token turned to its position.\"""
            inv_freq = np.power(10000.0, -np.arange(0, HEAD_DIM, 2) / HEAD_DIM)
            angle = np.arange(x.shape[1])[:, None] * inv_freq
            a, b, out = x[..., first], x[..., second], np.empty_like(x)
            out[..., first] = a * np.cos(angle) - b * np.sin(angle)
            out[..., second] = a * np.sin(angle) + b * np.cos(angle)
            return out

        def scores(x, q_weight, k_weight, pairs):
            q = rotate((x @ q_weight.T).reshape(len(x), NUM_HEADS, HEAD_DIM).swapaxes(0, 1), *pairs)
            k = rotate((x @ k_weight.T).reshape(len(x), NUM_KV_HEADS, HEAD_DIM).swapaxes(0, 1), *pairs)
            return q @ np.repeat(k, NUM_HEADS // NUM_KV_HEADS, axis=0).swapaxes(1, 2)

        if __name__ == "__main__":
            rng, width = np.random.default_rng(0), NUM_HEADS * HEAD_DIM
            x = rng.standard_normal((16, width))
            q_old, k_old = rng.standard_normal((2, width, width)) / np.sqrt(width)
            k_old = k_old[: NUM_KV_HEADS * HEAD_DIM]
            q_new, k_new = convert(q_old, k_old)
            right = scores(x, q_old, k_old, {NAMES[source]})
            for name, q, k in (("both", q_new, k_new), ("q only", q_new, k_old), ("k only", q_old, k_new)):
                change = np.abs(scores(x, q, k, {NAMES[target]}) - right).max()
                print(f"{{name}} {{change:.1e}}")
        """)


def _other(target: str) -> str:
    return NAMES["interleaved" if target == "half" else "half"]
