"""The WSGI application that gunicorn serves."""

import os

import clubsite.sqlite  # noqa: F401  (must come before Django loads sqlite3)

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubsite.settings")

from django.core.wsgi import get_wsgi_application

application = get_wsgi_application()
