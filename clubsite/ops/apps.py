"""The operations app: demo, bench, screenshots."""

from django.apps import AppConfig


class OpsConfig(AppConfig):
    """Commands for those who run and build the site."""

    name = "clubsite.ops"
    label = "ops"
