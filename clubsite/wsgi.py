"""The WSGI application that `clubsite.serving` serves."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubsite.settings")

application = get_wsgi_application()  # loads the apps, which the next line needs

from django.db import connections  # noqa: E402

from clubsite.jobs.secret_key_check import refuse_other_database  # noqa: E402

refuse_other_database()
connections.close_all()  # no forked process may inherit a connection
