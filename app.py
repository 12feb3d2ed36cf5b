"""What ``streamlit run app.py`` serves: the pages, on a server that did its start-up work first."""

import gc
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import streamlit as st

ROOT = Path(__file__).resolve().parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from pages.kit.headers import security  # noqa: E402


@asynccontextmanager
async def start_up(_: st.App) -> AsyncIterator[dict[str, Any]]:
    """Import and compute what the first visitor would otherwise wait for, then freeze that heap.

    Collections then skip it (``runner.postScriptGC`` is off for the same reason), and no page loads torch.
    """
    from pages.index import CONCEPTS
    from pages.kit.warm import answer_at_once, warm_up

    warm_up(concept.folder for concept in CONCEPTS)
    answer_at_once()
    gc.collect()
    gc.freeze()
    yield {}


app = st.App(ROOT / "pages" / "index.py", lifespan=start_up, middleware=[security(os.environ)])
