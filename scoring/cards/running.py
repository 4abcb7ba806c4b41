"""The picture of a finished game: the sides' running totals, deal by deal."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clubsite.charts import Chart, Series, lines_chart
from scoring.cards.queries import Card
from scoring.templatetags.figures import points

FEWEST = 2  # deals; with fewer there is nothing to see


def running_chart(card: Card) -> Chart | None:
    """The running totals of a card that is over, from what each side began with; the winner's line is lit. None while
    the game is being played, and before the second deal that counts."""
    deals = [deal for deal in card.deals if deal.counts]
    if card.state == "playing" or len(deals) < FEWEST:
        return None
    return lines_chart(
        [
            Series(
                side.name,
                (side.start, *(deal.running[side.number] for deal in deals)),
                lit=side.half_wins == 2,
            )
            for side in card.sides
        ],
        ["0", *(str(deal.number) for deal in deals)],
        heads=[_("Start"), *(_("Deal %(number)d") % {"number": deal.number} for deal in deals)],
        shown=points,
    )
