"""The scoring app: house rules, games, deals."""

from django.apps import AppConfig


class ScoringConfig(AppConfig):
    name = "scoring"

    def ready(self) -> None:
        from clubsite.accounts import audit_log
        from scoring import log_words
        from scoring.cards.submit import WATCHES
        from scoring.handicaps import watch_handicap

        WATCHES.append(watch_handicap)
        audit_log.register(log_words)
