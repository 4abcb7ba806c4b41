"""The scoring app: house rules, games, deals."""

from django.apps import AppConfig


class ScoringConfig(AppConfig):
    """Deals of card games and their points."""

    name = "scoring"

    def ready(self) -> None:
        """Have the log say what is done to cards, rules and handicaps, and a correction what it does to a handicap."""
        from clubsite.accounts import log_words
        from scoring.cards.consequences import WATCHES
        from scoring.handicaps.watching import watch_handicap
        from scoring.log_words import KINDS, LABELS, SAID, SENTENCES

        WATCHES.append(watch_handicap)
        log_words.SENTENCES.update(SENTENCES)
        log_words.KINDS.update(KINDS)
        log_words.LABELS.update(LABELS)
        log_words.SAID.update(SAID)
