"""The one visual grammar: colours with meanings, sizes of type, and the style that Streamlit has no option for.

Every colour works on both backgrounds. Neutral ink is ``currentColor``, which an SVG takes from the page's theme.
"""

from typing import Any

import altair as alt

QUERY = "#3f7fd0"
KEY = "#e07a2c"
VALUE = "#2f9e69"
POSITION = "#8b6fe0"
NEGATIVE = "#b8791f"
POSITIVE = "#16998c"
WARNING = "#d1495b"
INK = "currentColor"

FAINT = 0.18
"""Opacity of guides: circles, zero lines, reference marks."""
QUIET = 0.6
"""Opacity of secondary text in a figure."""

TYPE = 15
"""Pixels of a figure's labels."""
SMALL_TYPE = 12.5

WIDE = 1180
"""Pixels of the main column."""
NARROW = 340
"""Pixels that a figure gets on a phone."""


def _rgba(colour: str, alpha: float) -> str:
    red, green, blue = rgb(colour)
    return f"rgba({red},{green},{blue},{alpha:g})"


def rgb(colour: str) -> tuple[int, int, int]:
    """The red, green and blue of ``#rrggbb``, 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def diverging(limit: float = 1.0) -> alt.Scale:
    """Scale for signed values: zero is the page's own background, the ends full colour, the domain fixed at ±limit."""
    none_below, none_above = _rgba(NEGATIVE, 0), _rgba(POSITIVE, 0)
    return alt.Scale(
        domain=[-limit, -limit * 1e-6, limit * 1e-6, limit],
        range=[NEGATIVE, none_below, none_above, POSITIVE],
        clamp=True,
        interpolate="rgb",
    )


LABELS = {"labelColor": INK, "labelOpacity": 0.75, "titleColor": INK, "titleOpacity": 0.75}
"""Of axes and legends. Streamlit's own grey has a contrast of 3.7 on white, this one 6 or more on either background."""


def configuration(narrow: bool) -> dict[str, Any]:
    """Vega-Lite ``config`` of every figure; Streamlit's theme adds the colours of text, grid and background."""
    size = SMALL_TYPE if narrow else TYPE
    return {
        "axis": {
            "labelFontSize": size - 1,
            "titleFontSize": size,
            "titlePadding": 8,
            "labelPadding": 6,
            "tickCount": 5,
            **LABELS,
        },
        "legend": {"labelFontSize": size - 1, "titleFontSize": size, **LABELS},
        "title": {"fontSize": size + 1, "fontWeight": 600, "offset": 10, "anchor": "start"},
        "text": {"fontSize": size, "color": INK},
        "view": {"stroke": None},
        "concat": {"spacing": 28},
        "header": {"labelFontSize": size, "title": None},
    }


STYLE = f"""<style>
.stMainBlockContainer {{max-width: {WIDE}px; padding: 2.6rem 2rem 4rem;}}
.st-key-language {{position: absolute; top: 0; right: 0; width: auto; z-index: 999992; padding: .6rem 2rem .5rem 1rem;
  background: light-dark(#fff, #15161b); border-bottom-left-radius: 10px;}}
[data-testid=stVegaLiteChart] svg.marks {{max-width: 100%; height: auto;}}
.vega-bindings {{width: 100%; max-width: 34rem;}}
.vega-bindings .vega-bind label {{flex: 1; flex-wrap: nowrap !important;}}
.vega-bindings .vega-bind-name {{min-width: 7.5em !important; font-size: .95rem !important;}}
.vega-bindings input[type=range] {{flex: 1; width: auto !important; min-height: 24px;}}
.vega-bindings input[type=range] + span {{font-variant-numeric: tabular-nums; min-width: 2.6em !important;}}
.st-key-lead p {{font-size: 1.18rem; line-height: 1.55; opacity: .82; max-width: 52rem;}}
.st-key-try a {{border: 1px solid rgba(128,128,140,.35); border-radius: 8px; padding: .7rem .9rem !important;}}
.st-key-try {{align-items: stretch; flex-wrap: nowrap;}}
.st-key-try > * {{flex: 1 1 0; min-width: 0; height: auto;}}
.st-key-try :is(.stElementContainer, .stPageLink, .stPageLink > *) {{display: flex; align-items: stretch; flex: 1;}}
.st-key-try a {{flex: 1; height: auto;}}
.st-key-panel [data-testid=stButtonGroup] button {{border-width: 1px !important;
  border-style: solid !important; border-radius: 8px !important; margin: 0 .25rem .25rem 0 !important;}}
.st-key-panel [data-testid=stButtonGroup] button:not([aria-checked=true], :hover, :focus-visible) {{
  border-color: rgba(128,128,140,.4) !important;}}
[data-testid=stBaseButton-primary] {{color: light-dark(#fff, #15161b) !important;}}
.st-key-next {{border-top: 1px solid rgba(128,128,140,.35); margin-top: 1rem; padding-top: 1rem;}}
[data-testid=stHeaderActionElements], [data-testid=stElementToolbar] {{display: none !important;}}
@media screen {{.stElementContainer:has(> .stText) {{display: none;}}}}
.st-key-try a:hover {{border-color: {POSITION};}}
.st-key-try a p, .st-key-next a p {{white-space: normal !important; overflow: visible !important;}}
.vega-bindings input[type=range]::-webkit-slider-runnable-track {{background: rgba(128,128,140,.28) !important;}}
.vega-bindings input[type=range]::-moz-range-progress {{background: transparent !important;}}
.stMarkdown table {{font-variant-numeric: tabular-nums;}}
.stMarkdown th, .stMarkdown td {{padding: .3rem .8rem !important;}}
[class*=st-key-menu] {{align-self: flex-end; margin-top: -.6rem;}}
[class*=st-key-menu] button {{color: inherit !important;}}
[class*=st-key-menu] button:not(:hover, :focus-visible, [aria-expanded=true]) {{opacity: .7;}}
.stVerticalBlock:empty {{display: none;}}
.katex-display {{overflow-x: auto; overflow-y: hidden; padding: .25rem 0;}}
@media (max-width: 640px) {{
  .stMainBlockContainer {{padding: 4.2rem 1rem 3rem;}}
  .st-key-language {{padding: .55rem 1rem .5rem;}}
  .stMainBlockContainer h1 {{font-size: 1.75rem;}}
  .stMarkdown th, .stMarkdown td {{padding: .25rem .4rem !important; font-size: .88rem;}}
  .stMarkdown table {{display: block; max-width: 100%; overflow-x: auto;}}
  .vega-embed {{display: flex !important; flex-direction: column;}}
  .vega-embed .vega-bindings {{order: -1; padding: 0 0 .75rem !important;}}
  .st-key-lead p {{font-size: 1.05rem;}}
  .st-key-try {{flex-direction: column;}}
}}
@media (prefers-reduced-motion: reduce) {{* {{animation: none !important; transition: none !important;}}}}
</style>"""
"""Only constants: nothing that a visitor sends ever gets into markup."""

ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="13" fill="none" '
    f'stroke="#8a8994" stroke-width="2"/><path d="M16 16 25 8" stroke="{KEY}" stroke-width="4" stroke-linecap="round"/>'
    f'<path d="M16 16 6 12" stroke="{QUERY}" stroke-width="4" stroke-linecap="round"/></svg>'
)
"""The page's icon: two arms of the dial. Ours, since a named icon would be fetched from elsewhere."""
