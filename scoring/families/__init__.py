"""The game families on pages and paper: the only list of them beside that of the engines, `scoring.engine.families`."""

from scoring.families import (
    contract,
    cribbage,
    hand_and_foot,
    hearts,
    pinochle,
    points_only,
    trick_bids,
    two_hand_pinochle,
)
from scoring.families.family_pages import FamilyPages

PAGES: dict[str, FamilyPages] = {
    pages.family.slug: pages
    for pages in (
        pinochle.PARTNERSHIP_PAGES,
        pinochle.THREE_HAND_PAGES,
        two_hand_pinochle.PAGES,
        hand_and_foot.PAGES,
        contract.PAGES,
        trick_bids.PAGES,
        hearts.PAGES,
        cribbage.PAGES,
        points_only.PAGES,
    )
}
"""By the family's slug; their rule sets are offered in this order."""
