"""Whether the app stands in a frame of another site, as ``?embed=true`` says.

Streamlit forgets it with a link to the page already shown, and refuses to be told in a link's address. So a visitor's
session remembers, and the address gets it back.
"""

from urllib.parse import parse_qs

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state import get_session_state

NAMES = ("embed", "embed_options")


def is_embedded() -> bool:
    """Whether it does. Call it before the address is written."""
    context = get_script_run_ctx()
    address = parse_qs(context.query_string) if context else {}
    told = {name: address[name] for name in NAMES if name in address}
    kept: dict[str, list[str]] = told or st.session_state.get("embedding", {})
    st.session_state["embedding"] = kept
    if not told:
        with get_session_state().query_params() as written:
            for name, values in kept.items():
                written.set_with_no_forward_msg(name, values)
    return kept.get("embed") == ["true"]
