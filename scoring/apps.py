"""The scoring app: house rules, games, deals."""

from django.apps import AppConfig


class ScoringConfig(AppConfig):
    """Deals of card games and their points."""

    name = "scoring"
