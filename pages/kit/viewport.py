"""Whether the visitor's window is as narrow as a phone. The server cannot see it, so the browser tells."""

import streamlit as st

NARROW_BELOW = 640
"""Pixels of window width, the same as in the style's media query."""

_SCRIPT = f"""
const query = window.matchMedia("(max-width: {NARROW_BELOW}px)");
export default function ({{ data, setStateValue }}) {{
  const tell = () => {{
    if (query.matches !== data.narrow) setStateValue("narrow", query.matches);
  }};
  query.addEventListener("change", tell);
  tell();
  return () => query.removeEventListener("change", tell);
}}
"""

_component = st.components.v2.component("posenc_viewport", js=_SCRIPT)


def is_narrow() -> bool:
    """Whether figures are to be drawn for a phone: as the browser has said, before that as its kind suggests."""
    known = bool(st.session_state.setdefault("narrow", "Mobi" in st.context.headers.get("User-Agent", "")))
    told = _component(key="viewport", data={"narrow": known}, on_narrow_change=_keep)
    if told.narrow is not None:
        st.session_state["narrow"] = bool(told.narrow)
    return bool(st.session_state["narrow"])


def _keep() -> None:
    st.session_state["narrow"] = bool(st.session_state["viewport"].narrow)
