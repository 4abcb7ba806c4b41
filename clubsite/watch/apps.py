"""The watch app: the site's health, its faults, what it keeps."""

from django.apps import AppConfig


class WatchConfig(AppConfig):
    """What whoever looks after the site sees."""

    name = "clubsite.watch"
    label = "watch"

    def ready(self) -> None:
        """Let go of what is over its time with each clean-up."""
        from clubsite.tasks.cleaning import ALSO
        from clubsite.watch.retention import let_go

        ALSO.append(let_go)
