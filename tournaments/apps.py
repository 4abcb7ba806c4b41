"""The tournaments app: seasons, events, entries, draws, cuts, standings."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """Events around the games."""

    name = "tournaments"

    def ready(self) -> None:
        """Have the cards of games say what a correction brings for their event, and name those who sit there."""
        from scoring.cards.consequences import STANDINGS, WATCHES
        from scoring.cards.deals import GOES_ON
        from tournaments.cuts.watching import watch_event, watch_standings
        from tournaments.draws.succession import name_who_sits_there

        WATCHES.append(watch_event)
        STANDINGS.append(watch_standings)
        GOES_ON.append(name_who_sits_there)
