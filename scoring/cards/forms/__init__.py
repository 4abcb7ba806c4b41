"""Entry forms: one per game family."""

from __future__ import annotations

from scoring.cards.forms.base import Block, DealForm
from scoring.cards.forms.hand_and_foot import HandAndFootForm
from scoring.cards.forms.partnership_pinochle import PartnershipPinochleForm
from scoring.cards.forms.points_only import PointsOnlyForm
from scoring.cards.forms.three_hand_pinochle import ThreeHandPinochleForm
from scoring.cards.forms.two_hand_pinochle import TwoHandPinochleForm
from scoring.engine.hand_and_foot.scoring import SLUG as HAND_AND_FOOT
from scoring.engine.pinochle.partnership import SLUG as PARTNERSHIP_PINOCHLE
from scoring.engine.pinochle.three_hand import SLUG as THREE_HAND_PINOCHLE
from scoring.engine.pinochle.two_hand.scoring import SLUG as TWO_HAND_PINOCHLE
from scoring.engine.points_only import SLUG as POINTS_ONLY
from scoring.form_parts import Figure

__all__ = ["FORMS", "Block", "DealForm", "Figure"]

FORMS: dict[str, type[DealForm]] = {
    PARTNERSHIP_PINOCHLE: PartnershipPinochleForm,
    THREE_HAND_PINOCHLE: ThreeHandPinochleForm,
    TWO_HAND_PINOCHLE: TwoHandPinochleForm,
    HAND_AND_FOOT: HandAndFootForm,
    POINTS_ONLY: PointsOnlyForm,
}
"""Family slug to its form."""
