"""The settings of the page, and its short texts."""

from pages.kit.settings import Choice
from pages.kit.text import D_MODEL, HEAD_DIM, Label
from pages.layouts import figures

WHAT = {"rope": Label(zh="RoPE", en="RoPE"), "sinusoid": Label(zh="sin/cos", en="sin/cos")}
ENCODING = Choice("encoding", Label(zh="排列什么", en="what is reordered"), tuple(WHAT), "rope", WHAT)
WIDTH = Choice("width", D_MODEL, (4, 8, 16, 64, 512), 8)
COUNTS = {n: Label(zh=str(n), en=str(n)) for n in (1, 2, 4)}
HEADS = Choice("num_heads", Label(zh="查询头数", en="query heads"), tuple(COUNTS), 4, COUNTS)


def width_of(encoding: str) -> Choice[int]:
    """The width has the same name and range for both, and is called what each calls it."""
    return Choice("head_dim", HEAD_DIM if encoding == "rope" else D_MODEL, (4, 8, 16), 8)


def target_of(encoding: str) -> Choice[str]:
    """The order wanted, by the names that the encoding has for it."""
    names = {order: figures.NAMES[encoding, order] for order in ("half", "interleaved")}
    return Choice("target", Label(zh="换成", en="reorder to"), tuple(names), "half", names)


def kv_heads(num_heads: int) -> Choice[int]:
    """Key-value heads that the query heads can share."""
    possible = tuple(n for n in COUNTS if num_heads % n == 0)
    return Choice("num_kv_heads", Label(zh="键值头数", en="key-value heads"), possible, 2, COUNTS)


MOVING = Label(
    zh="一排带颜色的方块，从一种排列沿曲线移到另一种排列；同一对颜色深浅相同，到达后与下面的数一致。",
    en="A row of tiles moving along curves from one order to the other; members of a pair share a shade, "
    "and each arrives above the same number.",
)
LENGTHS = Label(
    zh="三个圆，面积是向量长度的平方：正确旋转的圆不变，两种混用的圆随位置变大变小；右边是各位置上的曲线。",
    en="Three rings whose areas are squared lengths: the right one stays, those of two mix-ups grow and shrink "
    "with position; beside them the curves over all positions.",
)
SPECTRA = Label(
    zh="左：论文与 tensor2tensor 每一对的频率，只有第一对相同。右：两者的点积随距离变化，并不重合。",
    en="Left: frequencies of the paper and of tensor2tensor, equal only in the first pair. "
    "Right: their dot products against distance, which differ.",
)
SAME = {
    "rope": Label(zh="先换排列再旋转，等于先旋转再换排列", en="reordering then turning equals turning then reordering"),
    "sinusoid": Label(zh="两种排列的表只差列的顺序", en="the two tables differ only in the order of their columns"),
}
CONVERTED = Label(zh="$W_Q$、$W_K$ 都换，所有分数不变", en="with $W_Q$ and $W_K$ both converted every score stays")
PRODUCTS = {
    "rope": (
        Label(zh="q·k（位置 {m} 和 {n}），换之前", en="q·k at {m} and {n}, before"),
        Label(zh="都换", en="both reordered"),
        Label(zh="只换 q", en="only q"),
    ),
    "sinusoid": (
        Label(zh="PE({m})·PE({n})，换之前", en="PE({m})·PE({n}), before"),
        Label(zh="都换", en="both reordered"),
        Label(zh="只换一个", en="only one"),
    ),
}
FAULTS = Label(zh="出错的两种样子", en="Two ways to go wrong")
WEIGHTS = Label(zh="换权重：$W_Q$ 和 $W_K$", en="Converting weights: $W_Q$ and $W_K$")
SPECTRUM = Label(zh="有一种差别，怎么换都换不掉", en="One difference that no reordering removes")
USERS = Label(zh="谁用哪一种", en="Who uses which")
WAY = Label(zh="怎么转", en="how it is turned")
KEEPS = Label(zh="长度不变", en="length kept")
RELATIVE = Label(zh="只看 m − n", en="sees only m − n")
SCORES = Label(zh="分数正确", en="correct scores")
ORDER = Label(zh="每个头内的顺序", en="order within each head")
ROWS = Label(zh="新的第 0、1、2… 行取自原来的哪一行", en="rows 0, 1, 2, … come from row")
ORDERS = (
    Label(zh="这个方向", en="this way"),
    Label(zh="反方向", en="the way back"),
    Label(zh="同方向做两次", en="this way twice"),
)
CHANGED = Label(zh="换了哪些权重", en="weights converted")
CHANGE = Label(zh="分数最多变了多少", en="largest change of a score")
DONE = {
    "both": Label(zh="$W_Q$ 和 $W_K$", en="$W_Q$ and $W_K$"),
    "queries": Label(zh="只有 $W_Q$", en="$W_Q$ only"),
    "keys": Label(zh="只有 $W_K$", en="$W_K$ only"),
}
SAVE = Label(zh="下载转换脚本（带检验）", en="Download the conversion script, with a check")
