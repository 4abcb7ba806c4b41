"""The WSGI application that `clubsite.serving` serves."""

import os

from django.core.handlers.wsgi import WSGIHandler
from django.core.wsgi import get_wsgi_application
from django.db import connections


def _load() -> WSGIHandler:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubsite.settings")
    loaded = get_wsgi_application()
    from clubsite.jobs.secret_key_check import refuse_other_database  # which needs the apps loaded

    refuse_other_database()
    connections.close_all()  # no forked process may inherit a connection
    return loaded


application = _load()
