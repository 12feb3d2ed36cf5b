"""What ``streamlit run app.py`` serves: the pages, on a server that soon prepares for all of them."""

import asyncio
import gc
import os
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import streamlit as st

ROOT = Path(__file__).resolve().parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from pages.kit.headers import security  # noqa: E402

SOON = 2.0
"""Seconds after the start. The first visitor's browser needs about that long to fetch the app itself."""


@asynccontextmanager
async def start_up(_: st.App) -> AsyncIterator[dict[str, Any]]:
    """Answer at once, and soon prepare, beside what is then going on, for the visitors of all other pages."""
    gc.disable()  # Until all is imported: what modules hold is never garbage, and looking through it takes its time.
    from pages.index import CONCEPTS
    from pages.kit.warm import answer_at_once, prepare

    answer_at_once()
    folders = [concept.folder for concept in CONCEPTS]
    drawn = [concept.folder for concept in CONCEPTS if not concept.uses_torch]
    preparing = threading.Thread(target=prepare, args=(folders, drawn), daemon=True)
    soon = asyncio.get_running_loop().call_later(SOON, preparing.start)
    yield {}
    soon.cancel()


app = st.App(ROOT / "pages" / "index.py", lifespan=start_up, middleware=[security(os.environ)])
