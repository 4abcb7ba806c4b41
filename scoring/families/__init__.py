"""The game families on pages and paper: the only list of them beside that of the engines, `scoring.engine.families`."""

from __future__ import annotations

from scoring.families import hand_and_foot, points_only
from scoring.families.family_pages import FamilyPages
from scoring.families.pinochle import partnership, three_hand
from scoring.families.pinochle.two_hand import pages as two_hand

PAGES: dict[str, FamilyPages] = {
    pages.family.slug: pages
    for pages in (partnership.PAGES, three_hand.PAGES, two_hand.PAGES, hand_and_foot.PAGES, points_only.PAGES)
}
"""By the family's slug; their rule sets are offered in this order."""
