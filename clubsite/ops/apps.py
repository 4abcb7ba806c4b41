"""The operations app: the first club, the demo."""

from django.apps import AppConfig


class OpsConfig(AppConfig):
    """Commands for those who run the site."""

    name = "clubsite.ops"
    label = "ops"
