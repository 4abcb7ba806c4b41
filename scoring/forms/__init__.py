"""Entry forms: one per game family."""

from __future__ import annotations

from scoring.engine.hand_and_foot import SLUG as HAND_AND_FOOT
from scoring.engine.partnership_pinochle import SLUG as PARTNERSHIP_PINOCHLE
from scoring.engine.points_only import SLUG as POINTS_ONLY
from scoring.engine.three_hand_pinochle import SLUG as THREE_HAND_PINOCHLE
from scoring.engine.two_hand_pinochle import SLUG as TWO_HAND_PINOCHLE
from scoring.forms.base import Block, DealForm, Figure
from scoring.forms.hand_and_foot import HandAndFootForm
from scoring.forms.partnership_pinochle import PartnershipPinochleForm
from scoring.forms.points_only import PointsOnlyForm
from scoring.forms.three_hand_pinochle import ThreeHandPinochleForm
from scoring.forms.two_hand_pinochle import TwoHandPinochleForm

__all__ = ["FORMS", "Block", "DealForm", "Figure"]

FORMS: dict[str, type[DealForm]] = {
    PARTNERSHIP_PINOCHLE: PartnershipPinochleForm,
    THREE_HAND_PINOCHLE: ThreeHandPinochleForm,
    TWO_HAND_PINOCHLE: TwoHandPinochleForm,
    HAND_AND_FOOT: HandAndFootForm,
    POINTS_ONLY: PointsOnlyForm,
}
"""Family slug to its form."""
