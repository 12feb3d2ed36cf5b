"""From letting a control go to the redrawn page, beside a page of one slider in the same browser.

    python -m tests.bench.redraw                        every control of every page, 3 rounds, some minutes
    python -m tests.bench.redraw --pages rope --rounds 7

Every control that asks the server is moved by the mouse or the keyboard, to and fro between two values that have been
seen before, in turn with the slider of the other page (slider, control, slider, control ...). The time runs from the
event that lets go to the last frame that differs from the one before: computation, drawing and Streamlit's own waiting
(a live handle's selection is sent 150 ms after its last move). The ratio is the median of the rounds' own.
"""

import argparse
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from playwright.sync_api import ElementHandle, Page, TimeoutError

from pages.index import CONCEPTS, TOOLS
from pages.kit.address import place
from tests.bench import servers
from tests.bench.servers import Server
from tests.chromium import HANDLE, chromium, settle

EVERY = tuple(concept.folder for concept in (*CONCEPTS, *TOOLS))
SLIDER, NUMBER, WORDS = ("[data-testid=stSlider]", "[data-testid=stNumberInput]", "[data-testid=stTextInput]")
CHOICE = "[data-testid=stButtonGroup]:has([role=radio])"
CONTROLS = f"[data-testid=stMain] :is({SLIDER}, {NUMBER}, {WORDS}, {CHOICE}, {HANDLE})"
QUIET = 400
"""Milliseconds without a change after which a page counts as redrawn."""

SENTENCES = ("a dog bites a man", "dog bites man")

PLACES = """slider => {
    const input = slider.matches('input') ? slider : slider.querySelector('input[type=range]');
    const [least, most, value] = [input.min, input.max, input.value].map(Number);
    const thumb = slider.querySelector('[data-testid=stSliderThumbValue]')?.parentElement;
    // A bare range input keeps its thumb, 16 pixels wide, within its own box.
    const box = (thumb?.parentElement ?? input).getBoundingClientRect(), inset = thumb ? 0 : 8;
    const at = value => box.left + inset + (box.width - 2 * inset) * (value - least) / (most - least);
    const third = (most - least) / 3;  // of two or three values the first and the last
    return [box.top + box.height / 2, at(value), [least + Math.floor(third), least + Math.ceil(2 * third)].map(at)];
}"""
"""Of a slider: its height on the screen, where its thumb is, and the two places between which it is moved."""

FIND = """selector => [...document.querySelectorAll(selector)].filter(found => found.checkVisibility()).map(found => [
    [...found.closest('[class*=st-key-]')?.classList ?? []].find(name => name.startsWith('st-key-')) ?? '',
    found.getAttribute('name') ?? ''])"""
"""Of each control the class that its key gives it, and a handle's name."""

WATCH = """control => {
    const watch = window.watch = {released: null, answered: null, drawn: null};
    const release = () => { if (watch.answered === null) watch.released = performance.now(); };
    const enter = event => { if (event.key === 'Enter') release(); };
    const seen = new MutationObserver(changes => {
        if (watch.released === null) return;
        // Until the answer comes, what changes within the control is what the hand does.
        if (watch.answered === null && changes.every(({target}) => control.contains(target))) return;
        watch.answered = performance.now();
        requestAnimationFrame(() => setTimeout(() => { watch.drawn = performance.now(); }));
    });
    addEventListener('pointerup', release, true);
    addEventListener('keydown', enter, true);
    seen.observe(document.querySelector('[data-testid=stApp]'),
        {subtree: true, childList: true, attributes: true, characterData: true});
    watch.stop = () => {
        seen.disconnect();
        removeEventListener('pointerup', release, true);
        removeEventListener('keydown', enter, true);
    };
}"""

DRAWN = """quiet => window.watch.drawn !== null && performance.now() - Math.max(watch.drawn, watch.answered) > quiet
    && document.querySelector('[data-testid=stApp]').dataset.testScriptState === 'notRunning'"""


@dataclass(frozen=True)
class Control:
    """A control of a page: the class of its key, and the name of the handle if it is one of a live figure."""

    key: str
    handle: str = ""

    @property
    def name(self) -> str:
        """The setting's name."""
        if self.handle:  # Vega names the input after the parameter and its field, which have one name here.
            return self.handle[: len(self.handle) // 2]
        return re.sub(r"^st-key-|-en(-\d+)?$", "", self.key)

    def find(self, tab: Page) -> ElementHandle:
        """The control as it is on the page now."""
        within = f".{self.key} " if self.key else ""
        kind = f"input[name='{self.handle}']" if self.handle else f":is({SLIDER}, {NUMBER}, {WORDS}, {CHOICE})"
        return tab.wait_for_selector(within + kind)


@dataclass(frozen=True)
class Redraw:
    """Milliseconds from release to redraw, of a page's control and of the one slider, and the ratio."""

    page: str
    control: str
    milliseconds: float
    slider: float
    ratio: float


def controls(tab: Page) -> list[Control]:
    """What of the page asks the server when it is moved.

    Except the switch of language, and the question: after two wrong answers the page looks the same.
    """
    found = [Control(*each) for each in tab.evaluate(FIND, CONTROLS)]
    return [control for control in found if not re.match(r"st-key-(lang-|.*-question-)", control.key)]


def moved(tab: Page, control: Control, *, seconds: float = 30) -> float:
    """Move it to its other value; returns the milliseconds from its release to the redrawn page.

    Raises:
        TimeoutError: Playwright's, if nothing was redrawn in time, or something still is.
    """
    tab.bring_to_front()
    element = control.find(tab)
    element.scroll_into_view_if_needed()
    tab.evaluate(WATCH, element)
    move(tab, element)
    tab.wait_for_function(DRAWN, arg=QUIET, timeout=seconds * 1000)
    return float(tab.evaluate("() => { watch.stop(); return watch.drawn - watch.released; }"))


def move(tab: Page, element: ElementHandle) -> None:
    """To the second of two values, or back to the first."""
    if other := element.query_selector("[role=radio]:not([aria-checked=true])"):
        other.click()
    elif step := element.query_selector("[data-testid=stNumberInputStepUp]"):
        is_odd = float(element.query_selector("input").input_value()) % 2
        (element.query_selector("[data-testid=stNumberInputStepDown]") if is_odd else step).click()
    elif field := element.query_selector("input[type=text]"):
        field.fill(next(words for words in SENTENCES if words != field.input_value()))
        field.press("Enter")
    else:
        _slide(tab, element)


def _slide(tab: Page, element: ElementHandle) -> None:
    """Drag the thumb to a third of its range, or from there to two thirds."""
    track, x, others = element.evaluate(PLACES)
    other = next(place for place in others if abs(place - x) > 1)
    tab.mouse.move(x, track)
    tab.mouse.down()
    tab.mouse.move((x + other) / 2, track)
    tab.mouse.move(other, track)
    tab.mouse.up()


def measure(pages: Sequence[str], rounds: int) -> Iterator[Redraw]:
    """Every control of these pages, each on the page as it is first opened; what redraws nothing is named and left."""
    with servers.one_slider() as slider, servers.app() as app, chromium() as browser:
        plain, tab = browser.new_page(), browser.new_page(locale="en-US")
        plain.goto(slider.url)
        settle(plain, sign=SLIDER)
        for _ in range(2):
            moved(plain, Control(""))
        for page in pages:
            opened(tab, app, page)
            for control in controls(tab):
                opened(tab, app, page)
                try:
                    yield compared(plain, tab, page, control, rounds)
                except TimeoutError as late:
                    print(f"{page}, {control.name}: {late.message.splitlines()[0]}", file=sys.stderr)


def opened(tab: Page, app: Server, page: str) -> None:
    """Go to a page of the app, in English."""
    tab.bring_to_front()
    tab.goto(f"{app.url}{place(page)}?lang=en")
    settle(tab)


def compared(plain: Page, tab: Page, page: str, control: Control, rounds: int) -> Redraw:
    """The slider and the control in turn, after each has been at both of its values."""
    for _ in range(2):
        moved(tab, control)
    pairs = [(moved(plain, Control("")), moved(tab, control)) for _ in range(rounds)]
    ratio = median(ours / least for least, ours in pairs)
    return Redraw(page, control.name, median(ours for _, ours in pairs), median(least for least, _ in pairs), ratio)


def report(measured: Iterable[Redraw]) -> Iterator[str]:
    """The table, as lines of text."""
    yield f"{'release to redraw':<46}{'ms':>8}{'one slider ms':>16}{'ratio':>8}"
    for it in measured:
        yield f"{it.page:<16}{it.control:<30}{it.milliseconds:8.0f}{it.slider:16.0f}{it.ratio:8.2f}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", nargs="+", choices=EVERY, default=EVERY)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    for line in report(measure(asked.pages, asked.rounds)):
        print(line, flush=True)


if __name__ == "__main__":
    main()
