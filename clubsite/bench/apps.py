"""The app of the measurements: the commands `bench` and `shots`."""

from django.apps import AppConfig


class BenchConfig(AppConfig):
    """Commands for those who build the site."""

    name = "clubsite.bench"
    label = "bench"
