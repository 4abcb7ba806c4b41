"""A club's games out to a text and in again, and what is here then."""

from clubsite.accounts.models import LogEntry
from scoring.deal_files.export import to_csv, to_json
from scoring.deal_files.importer import import_games, known_rules, read_file
from scoring.models import Deal, DealVersion, Game, HouseRules, Points


def out(club):
    return "".join(to_json(club))


def table(club):
    return to_csv(club)


def take(club, text, by, **more):
    raw = text.encode() if isinstance(text, str) else text
    return import_games(club=club, file=read_file(raw, known_rules(club)), by=by, name="deals", **more)


def count():
    return tuple(model.objects.count() for model in (HouseRules, Game, Deal, DealVersion, Points, LogEntry))


def state_of(club):
    """Everything that counts: the sides' totals of every game."""
    games = Game.objects.filter(club=club).order_by("pk")
    fields = ("number", "names", "start", "total", "half_wins", "sets")
    return [(g.title, g.state, g.ended_by, g.deals_played, list(g.sides.values_list(*fields))) for g in games]


def empty(club):
    """Take everything away, as on a machine that was never used."""
    Game.objects.filter(club=club).delete()
    HouseRules.objects.filter(club=club).delete()
