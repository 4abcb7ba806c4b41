"""Entry forms: one per game family."""

from __future__ import annotations

from scoring.cards.forms.base import Block, DealForm
from scoring.cards.forms.hand_and_foot import HandAndFootForm
from scoring.cards.forms.partnership_pinochle import PartnershipPinochleForm
from scoring.cards.forms.points_only import PointsOnlyForm
from scoring.cards.forms.three_hand_pinochle import ThreeHandPinochleForm
from scoring.cards.forms.two_hand_pinochle import TwoHandPinochleForm
from scoring.engine.hand_and_foot.family import FAMILY as HAND_AND_FOOT
from scoring.engine.pinochle.partnership import FAMILY as PARTNERSHIP_PINOCHLE
from scoring.engine.pinochle.three_hand import FAMILY as THREE_HAND_PINOCHLE
from scoring.engine.pinochle.two_hand.family import FAMILY as TWO_HAND_PINOCHLE
from scoring.engine.points_only import FAMILY as POINTS_ONLY
from scoring.form_parts import Figure

__all__ = ["FORMS", "Block", "DealForm", "Figure"]

FORMS: dict[str, type[DealForm]] = {
    PARTNERSHIP_PINOCHLE.slug: PartnershipPinochleForm,
    THREE_HAND_PINOCHLE.slug: ThreeHandPinochleForm,
    TWO_HAND_PINOCHLE.slug: TwoHandPinochleForm,
    HAND_AND_FOOT.slug: HandAndFootForm,
    POINTS_ONLY.slug: PointsOnlyForm,
}
"""Family slug to its form."""
