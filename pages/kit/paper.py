"""How a page looks on paper: the text and the figures whole, in black on white, and nothing that is to be pressed."""

PAPER = """<style>
@page {margin: 14mm 15mm;}
@media print {
  [data-testid=stSidebar], [data-testid=stHeader], .st-key-shelf .stPageLink, .stColumn:has(.st-key-make),
  .st-key-language, .st-key-next,
  .st-key-try, .st-key-bar, .vega-bindings, .vega-embed details, .stButton, .stDownloadButton, .stPopover, .stSlider,
  .stSelectSlider, .stNumberInput, .stTextInput, .stSelectbox, .stButtonGroup, .stTabs [role=tablist],
  [data-testid=stTabs] [role=tablist], [data-testid=stCodeCopyButton], [data-testid=stMain] hr,
  .stColumn:has(.st-key-panel), [data-testid=stLayoutWrapper]:has(> :is(.st-key-next, .st-key-try, .st-key-bar)),
  .stElementContainer:has(+ [data-testid=stLayoutWrapper] > .st-key-try) {display: none !important;}
  html, body, .stApp {height: auto !important; background: #fff !important; color-scheme: light !important;}
  .stApp *:not(svg *) {color: #000 !important; background-color: transparent !important; box-shadow: none !important;}
  .stMain .stMainBlockContainer {max-width: none !important; height: auto !important; padding: 0 1px !important;
    overflow: visible !important;}
  .stMain .stMainBlockContainer h1 {font-size: 20pt; padding: 0 0 4pt; margin: 0;}
  .stMain :is(p, li, td, th) {font-size: 10.5pt;}
  .stMain .st-key-lead p {font-size: 12pt; opacity: 1; max-width: none;}
  .stMain :is(h2, h3) {font-size: 13pt; padding: 6pt 0 2pt;}
  .stMain [data-testid=stCaptionContainer] p {font-size: 9.5pt;}
  .stMain .stText, .stMain .stText * {font-family: inherit; font-size: 9.5pt; white-space: normal;}
  .stMain :is(pre, pre code, pre span) {white-space: pre-wrap !important; overflow-wrap: anywhere; overflow: visible;
    font-size: 8.5pt;}
  .stMain pre code {display: block;}
  .stMain pre {border: 1px solid #bbb !important; padding: 6pt !important;}
  .stMain a {text-decoration: underline;}
  .katex-display {overflow: visible;}
  .stColumn:has(+ .stColumn .st-key-panel) {flex: 1 1 100% !important; width: 100% !important;}
  .stMain .stHorizontalBlock:has(> .stColumn [class*=st-key-card]) {
    display: flex !important; flex-wrap: nowrap !important;}
  .stMain .stHorizontalBlock:not(:has([class*=st-key-card], [class*=st-key-link])) {display: block !important;}
  .stMain .stHorizontalBlock:not(:has([class*=st-key-card], [class*=st-key-link])) > .stColumn {
    width: 100% !important;}
  .stTabs > div {display: block !important;}
  .stMain > :not(.stMainBlockContainer) {display: none !important;}
  .stMain .stColumn {min-width: 0 !important;}
  .stElementContainer:has(> .stHeading), .stMain h3 {break-after: avoid;}
  .stMain :is(p, li) {orphans: 2; widows: 2;}
  .stMain :is(table, tr, .stAlert, .katex-display, [data-testid=stVegaLiteChart], svg.marks), [class*=st-key-card] {
    break-inside: avoid;}
  .stElementContainer:has(svg.marks) {break-inside: avoid; break-after: avoid;}
  [data-testid=stVegaLiteChart], .vega-embed {width: 100% !important; height: auto !important;}
  [data-testid=stVegaLiteChart] svg.marks {display: block; color: #000; background: none !important; max-width: 100%;
    max-height: 235mm;}
  svg.marks > rect {fill: none;}
  svg.marks :is(.role-axis-label, .role-axis-title, .role-legend-label, .role-legend-title, .role-title-text) text {
    fill: #000;}
  svg.marks .role-axis-grid line {stroke: #ddd;}
  svg.marks :is(.role-axis-domain, .role-axis-tick) line {stroke: #888;}
}
</style>"""
"""Only constants: nothing that a visitor sends ever gets into markup. The browser itself adds the address."""
