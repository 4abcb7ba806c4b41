"""The WSGI application that `clubsite.serving` serves."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubsite.settings")

site = get_wsgi_application()  # loads the apps, which the next line needs

from clubsite.tasks.hosts import SameKey  # noqa: E402

application = SameKey(site)
