"""A person's figures from the file of all that is kept of them. Nothing of the project is used: only the file."""

from collections import Counter
from fractions import Fraction


def recount(data):
    """A person's figures from the file alone, by what its `about` says."""
    counting = [deal for deal in data["deals"] if deal["counts"]]
    played = {deal["game"] for deal in counting}
    partners = Counter()
    opponents = Counter()
    for seat in data["seats"]:
        games = len(played & set(seat["games"]))
        partners.update({name: games for name in seat["partners"] if games})
        opponents.update({name: games for name in seat["opponents"] if games})
    final = {result["event"]: result for result in data["results"] if result["final"]}
    return {
        "a_deal": Fraction(sum(deal["points"] for deal in counting), len(counting)),
        "made": sum(deal["bid"] and not deal["set"] for deal in counting),
        "failed": sum(deal["bid"] and deal["set"] for deal in counting),
        "places": {event: (result["place"], result["of"], result["points"]) for event, result in final.items()},
        "partners": partners,
        "opponents": opponents,
        "best": sorted((deal["points"] for deal in counting), reverse=True)[:5],
        "nights": len({seat["event"] for seat in data["seats"]}),
    }
