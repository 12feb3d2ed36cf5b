"""Every claim of every page: what ``python -m posenc check`` computes."""

from __future__ import annotations

from posenc.claims.catalogue.layouts_and_tables import LAYOUTS_AND_TABLES
from posenc.claims.catalogue.order import ORDER
from posenc.claims.catalogue.rotations import ROTATIONS
from posenc.claims.catalogue.sinusoids import SINUSOIDS
from posenc.claims.registry import Claim

CLAIMS: tuple[Claim, ...] = ORDER + SINUSOIDS + ROTATIONS + LAYOUTS_AND_TABLES
"""In the order of the pages."""
