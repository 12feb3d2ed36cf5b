"""Slides: every figure as a file for a lecture."""

from pages.kit.opening import open_page
from pages.kit.settings import Choice
from pages.kit.text import Label

FILE = Choice(
    "file",
    Label(zh="文件", en="file"),
    ("pptx", "pdf", "zip"),
    "pptx",
    {
        "pptx": Label(zh="PowerPoint", en="PowerPoint"),
        "pdf": Label(zh="PDF", en="PDF"),
        "zip": Label(zh="ZIP", en="ZIP"),
    },
)
SIZE = Choice(
    "size",
    Label(zh="页面大小", en="size"),
    ("16:9", "4:3", "A4"),
    "16:9",
    {size: Label(zh=size, en=size) for size in ("16:9", "4:3", "A4")},
)
BACKGROUND = Choice(
    "background",
    Label(zh="背景", en="background"),
    ("light", "dark"),
    "light",
    {"light": Label(zh="浅色", en="light"), "dark": Label(zh="深色", en="dark")},
)
WHAT = Label(zh="文件里有什么", en="What is in the file")
ALONE = Label(zh="不用浏览器，也能一次全部生成", en="All of it at once, without a browser")

page = open_page(__file__)
workshop = page.room()
page.section("contents", WHAT)
page.section("terminal", ALONE)


@page.alive
def draw() -> None:
    """The figures to choose from, and what makes a file of them."""
    with workshop:
        page.workshop(FILE, SIZE, BACKGROUND)
