"""Keys of a lecture: what a keyboard or a presenter sends presses the buttons on screen."""

import streamlit as st

_SCRIPT = """
const PRESSED = {
  ArrowRight: "onward", PageDown: "onward", ArrowLeft: "back", PageUp: "back", Escape: "to-page",
};
export default function () {
  const press = event => {
    const name = PRESSED[event.key];
    if (!name || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    // What has the focus and moves by these keys keeps them.
    if (event.key !== "Escape" && event.target.closest("input, textarea, select, [role=radiogroup]")) return;
    event.preventDefault();
    document.querySelector(`.st-key-${name} :is(a, button)`)?.click();
  };
  document.addEventListener("keydown", press);
  return () => document.removeEventListener("keydown", press);
}
"""

_component = st.components.v2.component("posenc_presenter", js=_SCRIPT)


def listen() -> None:
    """Follow the arrow keys, Page Up, Page Down and Escape while this is on the page."""
    _component(key="presenter")
