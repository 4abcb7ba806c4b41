"""The operations app: the first club, the demo, the static files as they are built."""

from typing import Any

from django.apps import AppConfig, apps

# What no page loads is left out when the static files are built.
NOT_LOADED = (
    "bootstrap.min.css",  # of which `./dev css` cuts what pages load
    "fonts-print*.css",
    "print.css",
    "print-hall.css",
    "README",
    "django_tables2",
    "ext",  # htmx's own extensions, and its other versions
    "htm*-4*.js",
    "htmx-2.js",
)


class OpsConfig(AppConfig):
    """Commands for those who run the site."""

    name = "clubsite.ops"
    label = "ops"

    def ready(self) -> None:
        """Tell Django's own app of static files what `collectstatic` leaves out."""
        static_files: Any = apps.get_app_config("staticfiles")
        static_files.ignore_patterns = [*static_files.ignore_patterns, *NOT_LOADED]
