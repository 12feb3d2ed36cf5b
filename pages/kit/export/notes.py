"""What a lecturer may say about a figure, as plain text: the notes under its slide."""

from pages.kit.export.caption import address, caption, title
from pages.kit.export.plain import plain
from pages.kit.figure import Figure
from pages.kit.text import Label, prose

SEEN = Label(zh="图里有什么：{text}", en="In the figure: {text}")
SET = Label(zh="设置：{text}", en="Settings: {text}")
OPEN = Label(zh="打开可以动手的图：{text}", en="Open the live figure: {text}")


def notes(figure: Figure, home: str = "") -> str:
    """Title, explanation, what the figure shows, its settings, and the link to it as it stands.

    The explanation is the section that the figure stands in, else the page's lead and why its claim holds.

    Args:
        figure: Of any page.
        home: The server's own address, which makes the link whole.
    """
    sections = prose(figure.concept, figure.lang)
    told = [figure.section] if figure.section in sections else [name for name in ("lead", "why") if name in sections]
    link = home.rstrip("/") + address(figure)
    closing = [
        label(figure.lang).format(text=text)
        for label, text in ((SEEN, figure.alt(figure.lang)), (SET, caption(figure)), (OPEN, link))
        if text
    ]
    return "\n\n".join([title(figure), *(plain(sections[name]) for name in told), *closing])
