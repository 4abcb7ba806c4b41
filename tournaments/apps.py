"""The tournaments app: seasons, events, entries, draws, cuts, standings."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """Events around the games."""

    name = "tournaments"
