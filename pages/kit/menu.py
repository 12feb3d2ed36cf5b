"""The quiet menu under a figure: files for slides, its numbers, and a link to what is on screen."""

import io
import traceback
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING

import streamlit as st
from streamlit.logger import get_logger

from pages.kit.address import path
from pages.kit.export.caption import file_name
from pages.kit.export.code import Code
from pages.kit.figure import Figure
from pages.kit.saving import FileError, save_button
from pages.kit.session import Session, home
from pages.kit.text import Label

if TYPE_CHECKING:
    from streamlit.elements.lib.mutable_popover_container import PopoverContainer

SAVE = Label(zh="保存此图", en="Save figure")
SAVE_CODE = Label(zh="存为文件", en="Save as a file")
SCRIPT = Label(zh="脚本（.py）", en="Script (.py)")
NOTEBOOK = Label(zh="Jupyter 笔记本（.ipynb）", en="Jupyter notebook (.ipynb)")
SEE_THROUGH = Label(zh="PNG 背景透明", en="PNG without background")
WAIT = Label(zh="点击后才生成文件，请稍候。", en="A file is made when you click; please wait a moment.")
LINK = Label(zh="打开这个状态的链接", en="Link to what is on screen")
OWN = Label(
    zh="这个链接只在这台电脑上打得开。放到网上以后，这里就是大家都能打开的链接。",
    en="This link works on this computer alone. Once the app is hosted, it works for everyone.",
)
LOCAL = ("//localhost", "//127.", "//[::1]")
QR = Label(zh="二维码，内容是上面的链接", en="QR code of the link above")

LARGE = Label(
    zh="这张表有 {count} 个数，只提供 NPY：用 numpy.load 读取，一个不少。",
    en="This table has {count} numbers, so it comes as NPY alone: numpy.load reads every one of them.",
)

MOST_AS_TEXT = 2**20
"""Numbers that a CSV may have: beyond, making it would hold up everyone, and no spreadsheet opens it."""

LOG = get_logger("posenc.files")


def offer(figure: Figure, session: Session) -> None:
    """The closed menu, and what is in it only once it is open. Opening it reruns the part of the page that it is in."""
    name = f"{figure.concept}.{figure.name}"
    key = f"menu.{name}"
    menu = _menu(SAVE(figure.lang), ":material/ios_share:", key)
    if menu.open:
        with menu:
            _show(figure, session, f"file.{name}")


def offer_code(code: Code, key: str) -> None:
    """The same for code: a script and a notebook."""
    lang = code.page.lang
    menu = _menu(SAVE_CODE(lang), ":material/download:", f"{key}.files")
    if menu.open:
        with menu:
            for label, suffix, make in ((SCRIPT, "py", code.script), (NOTEBOOK, "ipynb", code.notebook)):
                save_button(label(lang), make, code.file_name(suffix), key=f"{key}.{suffix}", type="tertiary")


def _menu(label: str, icon: str, key: str) -> "PopoverContainer":
    """A quiet menu that says whether it is open, so that what is in it need not be there before."""
    return st.popover(label, icon=icon, type="tertiary", key=key, on_change="rerun")


def _show(figure: Figure, session: Session, name: str) -> None:
    site = home(figure.concept)
    link = site + path(figure.concept, session.address())
    files = st.container(horizontal=True, gap="small")
    is_transparent = st.toggle(SEE_THROUGH(figure.lang), key=f"{name}.transparent")
    with files:
        for kind in ("png", "svg", "pdf"):
            _button(kind, figure, name, partial(_picture, kind, figure, site, is_transparent=is_transparent))
        count = figure.numbers().array.size if figure.numbers else 0
        for kind in ("csv", "npy") if 0 < count <= MOST_AS_TEXT else ("npy",) if count else ():
            _button(kind, figure, name, partial(_numbers, kind, figure))
    st.caption(WAIT(figure.lang))
    if count > MOST_AS_TEXT:
        st.caption(LARGE(figure.lang, count=f"{count:,}"))
    st.markdown(LINK(figure.lang))
    st.code(link, language=None, wrap_lines=True)
    if any(host in site for host in LOCAL):
        st.caption(OWN(figure.lang))
    st.image(qr_code(link), width=180, alt=QR(figure.lang))


def _button(kind: str, figure: Figure, name: str, make: Callable[[], bytes]) -> None:
    save_button(kind.upper(), partial(made, make, figure), file_name(figure, kind), key=f"{name}.{kind}")


def made(make: Callable[[], bytes], figure: Figure) -> bytes:
    """The file. It is made on a thread without a session, when the visitor clicks.

    Raises:
        FileError: It could not be made.
    """
    try:
        return make()
    except Exception as error:
        where = "".join(traceback.format_tb(error.__traceback__))
        LOG.error("page=%s figure=%s\n%s%s", figure.concept, figure.name, where, type(error).__qualname__)
        raise FileError("the file could not be made; the server's log says where it went wrong") from None


@lru_cache(maxsize=64)
def _sections(concept: str, lang: str) -> dict[str, tuple[str, Label | None]]:
    """In which section of its page, and under which heading, each figure stands, by the figure's name."""
    from pages.kit.record import record

    return {figure.name: (figure.section, figure.heading) for figure in record(concept, lang).figures}


def _picture(kind: str, figure: Figure, site: str, *, is_transparent: bool) -> bytes:
    from pages.kit.export import picture

    section, heading = _sections(figure.concept, figure.lang)[figure.name]
    figure = replace(figure, section=section, heading=heading)
    sheet = picture.Sheet(transparent=is_transparent and kind == "png", home=site)
    return picture.MAKERS[kind](figure, sheet)


def _numbers(kind: str, figure: Figure) -> bytes:
    from pages.kit.export import numbers

    assert figure.numbers is not None
    return (numbers.csv if kind == "csv" else numbers.npy)(figure.numbers())


def qr_code(text: str) -> str:
    """An SVG of the text as a QR code, black on white with its quiet zone whatever the theme."""
    import segno

    file = io.BytesIO()
    segno.make(text, error="m", micro=False).save(file, kind="svg", scale=6, dark="#000", light="#fff", xmldecl=False)
    return file.getvalue().decode()
