"""The site's settings, with the bare page beside its pages: both have the same middleware, server and database."""

from clubsite.accounts.permissions import table
from clubsite.settings import *  # noqa: F403  (settings)

table.LINES["bare"] = table.Access(sends=table.LOGGED_IN)
ROOT_URLCONF = "lab.benchmarks.bare_urls"
