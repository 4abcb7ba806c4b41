"""The watch app: the site's health, its faults, what it keeps."""

from django.apps import AppConfig


class WatchConfig(AppConfig):
    """What whoever looks after the site sees."""

    name = "clubsite.watch"
    label = "watch"
