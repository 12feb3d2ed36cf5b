"""The code for what is on screen as a file that runs: a script, and a notebook."""

from dataclasses import dataclass
from textwrap import fill

from pages.kit.opening import Reading
from pages.kit.text import Label

FROM = Label(zh="出自 posenc 的这一页，设置与屏幕上相同：", en="From this page of posenc, at the settings on screen:")
NEEDS = Label(zh="需要：pip install {packages}", en="Needs: pip install {packages}")
PACKAGES = {"numpy": "numpy", "pytorch": "numpy torch"}


@dataclass(frozen=True)
class Code:
    """Code of a page at a state.

    Attributes:
        page: Its title and lead stand above the code.
        framework: "numpy" or "pytorch".
        source: Runs as it is.
        address: Of the state, on the server.
    """

    page: Reading
    framework: str
    source: str
    address: str

    def file_name(self, suffix: str) -> str:
        """Concept, framework and language, with the suffix."""
        return f"posenc_{self.page.concept}_{self.framework}_{self.page.lang}.{suffix}"

    @property
    def _origin(self) -> tuple[str, str, str]:
        return (
            self.page.say(FROM),
            self.address,
            self.page.say(NEEDS, packages=PACKAGES[self.framework]),
        )

    def script(self) -> bytes:
        """A Python file in UTF-8 that says what it shows and prints the numbers on screen."""
        said = (self.page.prose["title"], *self._origin)
        whole = {"break_long_words": False, "break_on_hyphens": False}  # an address is to be copied
        head = "\n".join(fill(line, 100, initial_indent="# ", subsequent_indent="# ", **whole) for line in said)
        return f"{head}\n\n{self.source}".encode()

    def notebook(self) -> bytes:
        """A Jupyter notebook, version 4.5: what it shows, then the code in one cell."""
        import nbformat
        from nbformat import v4

        said = "\n\n".join((f"# {self.page.prose['title']}", self.page.prose["lead"], *self._origin))
        book = v4.new_notebook(
            cells=[
                v4.new_markdown_cell(said, id="about"),
                v4.new_code_cell(self.source.rstrip("\n"), id="code"),
            ],
            metadata={
                "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
                "language_info": {"name": "python"},
            },
        )
        return nbformat.writes(book).encode()
