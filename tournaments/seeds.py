"""Seeds of draws and of drawings of lots: kept with what was drawn, so that anybody can draw it again."""

from __future__ import annotations

import secrets

from tournaments.engine.rounds import SEEDS


def seed_or_new(seed: int | None) -> int:
    """The seed given, or one that nobody could know beforehand."""
    return secrets.randbelow(SEEDS) if seed is None else seed
