"""The tournaments app: seasons, events, entries, draws, cuts, standings."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """Events around the games."""

    name = "tournaments"

    def ready(self) -> None:
        """Have the cards of games say what a correction brings for their event."""
        from scoring.cards.consequences import STANDINGS, WATCHES
        from tournaments.cuts.watching import watch_event, watch_standings

        WATCHES.append(watch_event)
        STANDINGS.append(watch_standings)
