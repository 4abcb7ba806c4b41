"""The operations app: the first club, the demo, the static files as they are built."""

from django.apps import AppConfig
from django.contrib.staticfiles.apps import StaticFilesConfig


class OpsConfig(AppConfig):
    """Commands for those who run the site."""

    name = "clubsite.ops"
    label = "ops"


class BuiltFiles(StaticFilesConfig):
    """Django's own app of static files; what no page loads is left out when they are built."""

    ignore_patterns = [
        *StaticFilesConfig.ignore_patterns,
        "bootstrap.min.css",  # of which `./dev css` cuts what pages load
        "fonts-print*.css",
        "print.css",
        "README",
        "django_tables2",
        "ext",  # htmx's own extensions, and its other versions
        "htm*-4*.js",
        "htmx-2.js",
    ]
