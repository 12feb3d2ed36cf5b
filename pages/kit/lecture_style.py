"""How a lecture looks: everything grows with the screen, and the figure takes the room that is left."""

from collections.abc import Mapping
from typing import Any

from pages.kit.spec import VIEWS

LARGER = 1.45
"""How much larger the type round a figure is, against the figure, than on the page."""
LARGER_MARKS = 1.22
"""The same for type among the marks, which has less room."""
LARGER_SUBTITLE = 1.25
"""The same for what stands under a title, which is longer."""
SHAPE = 2.1
"""Width of a single view against its height."""

STYLE = """<style>
:root {--u: max(8px, min(1vw, 1.6vh));}
.stMain details {display: none !important;}
.stMainBlockContainer {max-width: none; height: 100vh; padding: 1.4vh 3vw .5vh !important; overflow: hidden;}
.stMain div:has(svg.marks) {display: flex; flex-direction: column; flex: 1 1 0; min-height: 0; width: 100%;
  height: auto; max-width: none; max-height: none; overflow: visible;}
.stMain .stMainBlockContainer:has(svg.marks) {flex: 0 0 auto; height: 100vh; overflow: hidden;}
.stMain svg.marks {flex: 1 1 0; min-height: 0; width: 100%; max-width: none; height: auto;}
.stMain svg.marks :is(.role-axis-label, .role-axis-title, .role-legend-label) text {fill: currentColor;}
.stMain .stVerticalBlock {gap: calc(.5*var(--u));}
.stMain .stMainBlockContainer h1 {font-size: calc(3.5*var(--u)); line-height: 1.15; padding: 0; margin: 0;}
.st-key-claim :is(.stElementContainer, .stHeading, .stMarkdown, [data-testid=stMarkdownContainer]) {
  margin: 0 !important; flex: none; height: auto;}
.st-key-claim {gap: 0 !important; flex: none; min-height: calc(7*var(--u));}
.st-key-claim .stMarkdown p {font-size: calc(2.3*var(--u)); line-height: 1.25; margin: 0;}
.st-key-stage [data-testid=stCaptionContainer] {margin: 0 !important; text-align: center; color: inherit; opacity: .75;}
.st-key-stage [data-testid=stCaptionContainer] p {font-size: calc(1.8*var(--u)); line-height: 1.3; margin: 0;}
.st-key-bar :is(p, span) {font-size: calc(1.6*var(--u)); line-height: 1.2;}
.st-key-bar {flex: none !important; align-items: center; gap: calc(1.4*var(--u)) !important;}
.st-key-bar a {background: none !important; min-height: 44px; padding: 0 calc(1*var(--u)) !important;}
.st-key-bar button {min-height: 44px;}
.st-key-bar a p {font-weight: 400;}
.st-key-bar .stMarkdown p {font-variant-numeric: tabular-nums; opacity: .7; margin: 0;}
.st-key-bar :is([data-testid=stMarkdownContainer], .stPageLink a) {margin: 0 !important;}
.vega-embed {padding: 0 !important;}
.stMain:focus-visible {outline: none;}
.stMain .vega-embed form.vega-bindings {order: 1; flex: none; max-width: none; width: 100%; display: flex !important;
  flex-flow: row wrap !important;
  justify-content: center; gap: 0 calc(3*var(--u)); padding: calc(.6*var(--u)) 0 0 !important;}
.vega-bindings .vega-bind {flex: 1 1 calc(26*var(--u)); max-width: calc(56*var(--u)); margin: 0;}
.vega-bindings .vega-bind :is(label, span, .vega-bind-name) {font-size: calc(2*var(--u)) !important;}
.vega-bindings .vega-bind-name {min-width: 0 !important; white-space: nowrap; padding-right: calc(1*var(--u));}
.vega-bindings input[type=range] {height: calc(4*var(--u)); min-height: 32px;
  margin-inline: calc(.9*var(--u)) !important;}
.vega-bindings input[type=range]::-webkit-slider-thumb {transform: scale(1.7);}
.vega-bindings input[type=range]::-moz-range-thumb {transform: scale(1.7);}
@media (min-width: 1500px) {
  .vega-bindings input[type=range]::-webkit-slider-thumb {transform: scale(2.4);}
  .vega-bindings input[type=range]::-moz-range-thumb {transform: scale(2.4);}
}
.st-key-language {padding: 0; background: none;
  top: auto !important; bottom: .7vh; left: calc(3vw + 12*var(--u)); right: auto !important;}
.st-key-language button p {font-size: max(.875rem, calc(1.4*var(--u)));}
.st-key-bar > :has(.st-key-back) {margin-left: auto;}
.st-key-bar > .st-key-presenter {position: absolute; width: 0 !important;}
@media (max-width: 640px) {
  .st-key-language {display: none;}
  .stMain .stMainBlockContainer, .stMain .stMainBlockContainer:has(svg.marks) {height: auto; overflow: visible;}
  .stMain div:has(svg.marks), .stMain svg.marks {flex: none;}
  .stMain .vega-embed form.vega-bindings {order: -1;}
}
</style>"""
"""Only constants: nothing that a visitor sends ever gets into markup. ``--u`` is a hundredth of the screen."""


def enlarged(built: Mapping[str, Any]) -> dict[str, Any]:
    """A specification of fixed size and larger type, for the style to stretch over the screen."""
    size = {} if VIEWS & built.keys() else {"width": round(SHAPE * built["height"])}
    marks = {name: _grown(part, LARGER_MARKS) for name, part in built.items() if name not in ("config", "datasets")}
    config = _grown(built["config"], LARGER)
    config["text"] = _grown(built["config"]["text"], LARGER_MARKS)
    return {**built, **marks, **size, "config": config, "autosize": {"type": "pad", "contains": "padding"}}


def _grown(part: Any, factor: float) -> Any:
    """The same with each size of type multiplied."""
    if isinstance(part, list):
        return [_grown(entry, factor) for entry in part]
    if not isinstance(part, Mapping):
        return part
    return {name: _grown_entry(name, entry, factor) for name, entry in part.items()}


def _grown_entry(name: str, entry: Any, factor: float) -> Any:
    if not name.lower().endswith("fontsize") or not isinstance(entry, int | float):
        return _grown(entry, factor)
    return round(entry * (LARGER_SUBTITLE if name == "subtitleFontSize" else factor), 1)
