"""The scoring app: house rules, games, deals."""

from django.apps import AppConfig


class ScoringConfig(AppConfig):
    """Deals of card games and their points."""

    name = "scoring"

    def ready(self) -> None:
        """Have the log say what is done to cards, rules and handicaps, and a correction what it does to a handicap."""
        from clubsite.accounts import audit_log
        from scoring import log_words
        from scoring.cards.submit import WATCHES
        from scoring.handicaps import watch_handicap

        WATCHES.append(watch_handicap)
        audit_log.register(log_words)
