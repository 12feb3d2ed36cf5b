"""Keys of a lecture: what a keyboard or a presenter sends presses the buttons on screen."""

import streamlit as st

_SCRIPT = """
const PRESSED = {
  ArrowRight: "onward", PageDown: "onward", ArrowLeft: "back", PageUp: "back", Escape: "to-page",
};
const MOVED = "input, textarea, select, [role=radiogroup]";
export default function () {
  const press = event => {
    const name = PRESSED[event.key];
    if (!name || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    // What has the focus and moves by the arrows keeps them. A presenter sends the others, and always steps.
    if (event.key.startsWith("Arrow") && event.target.closest(MOVED)) return;
    event.preventDefault();
    document.querySelector(`.st-key-${name} :is(a, button)`)?.click();
  };
  // Whoever has dragged or clicked is done with it; the focus is for those who came by keyboard.
  const release = event => {
    const moved = event.target.closest?.(MOVED);
    if (moved) setTimeout(() => document.activeElement?.closest(MOVED) && document.activeElement.blur());
  };
  document.addEventListener("keydown", press);
  document.addEventListener("pointerup", release);
  return () => {
    document.removeEventListener("keydown", press);
    document.removeEventListener("pointerup", release);
  };
}
"""

_component = st.components.v2.component("posenc_presenter", js=_SCRIPT)


def listen() -> None:
    """Follow the arrow keys, Page Up, Page Down and Escape while this is on the page."""
    _component(key="presenter")
