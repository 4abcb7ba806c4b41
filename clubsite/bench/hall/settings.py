"""The site's settings, with the bare page beside its pages: both have the same middleware, server and database."""

from clubsite.settings import *  # noqa: F403

ROOT_URLCONF = "clubsite.bench.hall.urls"
