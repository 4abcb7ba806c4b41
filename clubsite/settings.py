"""Settings of Nine Tables. Everything a host may want to change comes from the environment.

Without any variable set this is the hall's laptop: SQLite in var/, loopback only. A public host sets at
least SECRET_KEY, ALLOWED_HOSTS and HTTPS=on (docs/hosting.md).
"""

import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Any

import environ
from django.contrib import messages
from django.core.files import locks
from whitenoise.compress import Compressor

from clubsite.paths import BASE_DIR, default_data_folder
from clubsite.sqlite import JOURNAL  # before Django loads sqlite3

env = environ.Env()

VAR_DIR = Path(env("VAR_DIR", default="") or default_data_folder()).absolute()


def _own_secret_key() -> str:
    """This installation's own key, made once and readable by its owner only.

    If several processes start at once, the first makes it and the others wait. A full disk may have left an empty file.
    """
    with (VAR_DIR / "secret-key").open("a+", encoding="ascii") as file:
        with suppress(OSError):  # a file system without locks
            locks.lock(file, locks.LOCK_EX)
        file.seek(0)
        key = file.read()
        if not key:
            key = secrets.token_urlsafe(60)
            file.write(key)
    return key


def parse_proxies(text: str) -> int:
    """The number of proxies in a setting: a number, or a word for yes (1) or no (0)."""
    return int(text) if text.strip().isdecimal() else int(text.strip().lower() in env.BOOLEAN_TRUE_STRINGS)


DEBUG = env.bool("DEBUG", default=False)
os.umask(0o077)  # whatever the site writes, in whatever way it was started, is for its own user alone
try:
    VAR_DIR.mkdir(parents=True, exist_ok=True)
    SECRET_KEY = env("SECRET_KEY", default="") or _own_secret_key()
except OSError as refused:  # without a place to write, every page would fail later
    raise SystemExit(
        f"Nine Tables keeps its data in {VAR_DIR} and can't write there: {refused.strerror}. "
        "Make room or give this user the right to write, or name another folder with VAR_DIR=/path."
    ) from None
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["127.0.0.1", "localhost", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

INSTALLED_APPS = [
    "clubsite.accounts",
    "clubsite.jobs",
    "clubsite.watch",
    "scoring",
    "tournaments",
    "clubsite.operations",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.forms",  # its templates, for `FORM_RENDERER`
    "django_htmx",
    "django_tables2",
    "django_tasks",
    "django_tasks_db",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
]

MIDDLEWARE = [
    "clubsite.watch.logs.RequestId",
    "clubsite.request_limits.RequestLimits",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "clubsite.request_limits.Compression",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "clubsite.accounts.languages.Languages",
    "clubsite.operations.maintenance.Maintenance",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "clubsite.accounts.sessions.DeviceCookie",
    "django.contrib.messages.middleware.MessageMiddleware",
    "clubsite.invisible_characters.InvisibleCharacters",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "clubsite.offline.ScriptAnswers",
    "clubsite.accounts.permissions.gate.Gate",
]

ROOT_URLCONF = "clubsite.urls"
WSGI_APPLICATION = "clubsite.wsgi.application"

FORM_RENDERER = "clubsite.backends.Renderer"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.messages.context_processors.messages",
                "clubsite.accounts.roles.role_context",
                "clubsite.operations.maintenance.restore_notice",
            ],
            # What most templates use, without a {% load %} in each.
            "builtins": [
                "django.templatetags.i18n",
                "django.templatetags.l10n",
                "django.templatetags.static",
                "clubsite.page_tags",
                "scoring.templatetags.figures",
                "scoring.templatetags.names",
                "scoring.templatetags.rule_texts",
                "tournaments.templatetags.event_tags",
            ],
        },
    },
]

SQLITE_OPTIONS = {
    # With a read before the write, DEFERRED loses writes to "database is locked".
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": (
        f"PRAGMA journal_mode={JOURNAL}; PRAGMA synchronous=FULL; PRAGMA cache_size=-20000"
        "; PRAGMA journal_size_limit=27103364"
        "; PRAGMA secure_delete=ON"  # what is deleted is overwritten: no name stays in free pages and later backups
    ),
}
# A query that a connection makes for the third time is prepared, so that a deal's queries take three fifths of the
# time. Not for a pool that gives each transaction another connection.
PREPARED = {"server_side_binding": True, "prepare_threshold": 2}
OWN_DATABASE: dict[str, Any] = {"ENGINE": "django.db.backends.sqlite3", "NAME": str(VAR_DIR / "nine-tables.sqlite3")}
DATABASES = {"default": env.db("DATABASE_URL") if env("DATABASE_URL", default="") else OWN_DATABASE}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = SQLITE_OPTIONS
elif env.bool("DATABASE_PREPARES", default=True):
    DATABASES["default"]["OPTIONS"] = PREPARED | DATABASES["default"].get("OPTIONS", {})
MANY_HOSTS = DATABASES["default"]["ENGINE"] != "django.db.backends.sqlite3"  # whether several hosts can serve it
DATABASES["default"]["CONN_MAX_AGE"] = None
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True  # a connection that died with its server is made anew

# BACKUPS is the folder of backups, BACKUPS_ALSO_TO a second place for them: a USB stick, another disk. All backups of
# the last day stay, and one a day for BACKUPS_KEPT days, within BACKUPS_MEGABYTES. BACKUPS_EVERY is the number of
# minutes between two that are made automatically; 0: none are.
BACKUPS = Path(env("BACKUPS", default=str(VAR_DIR / "backups")))
BACKUPS_KEPT = env.int("BACKUPS_KEPT", default=30)
BACKUPS_MEGABYTES = env.int("BACKUPS_MEGABYTES", default=2000)
BACKUPS_EVERY = env.int("BACKUPS_EVERY", default=10)
BACKUPS_ALSO_TO = env("BACKUPS_ALSO_TO", default="")

# Limits for /health/: minutes that a task may wait, megabytes that must be free in VAR_DIR, and the greatest age in
# hours of the last backup if something was done since; 0 where another program makes the backups.
HEALTH_TASKS_WAIT = env.int("HEALTH_TASKS_WAIT", default=10)
HEALTH_DISK_FREE = env.int("HEALTH_DISK_FREE", default=200)
HEALTH_BACKUP_HOURS = env.int("HEALTH_BACKUP_HOURS", default=24)

# What the processes of a host tell each other: that a backup is being put in place. Several hosts may share a cache,
# e.g. redis://...
OWN_CACHE = {"BACKEND": "django.core.cache.backends.filebased.FileBasedCache", "LOCATION": str(VAR_DIR / "cache")}
CACHES = {"default": env.cache("CACHE_URL") if env("CACHE_URL", default="") else OWN_CACHE}
# Live pages (clubsite.live) and parts of pages that are the same for everybody: each process keeps its own.
CACHES["template_fragments"] = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "parts"}
LIVE_PAUSE = 4  # seconds for which a page that looks again gets what was made last, without a query for it
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "accounts.User"
OTP_TOTP_ISSUER = "Nine Tables"
OTP_TOTP_THROTTLE_FACTOR = OTP_STATIC_THROTTLE_FACTOR = 0  # off: `accounts.login_attempts` counts wrong codes
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_ATTEMPTS = 5  # wrong passwords for one name from one address ...
LOGIN_WINDOW = 15 * 60  # ... within this many seconds
LOGIN_ATTEMPTS_FROM_ADDRESS = 30  # for all names together; a hall's phones share one address
LOGIN_ATTEMPTS_AT_NAME = 20  # from all addresses together; after these, tries are slowed down

# The address by which phones reach the site, as printed in QR codes and in words: "https://cards.example.org". Empty:
# the address at which the person who prints opened the page.
SITE_URL = env("SITE_URL", default="")

# Whether a hall's phones come to this machine itself (`serving.hall`); its address may change between
# evenings.
HALL = env.bool("HALL", default=False)
LISTENS_AT = env("HOST", default="") or "127.0.0.1"  # where the server listens, which reads the same variable

# Letters: invitations and lost passwords. "smtp+tls://user:password@mail.example.org:587"; empty: codes on paper alone.
MAIL_IS_SET = bool(env("EMAIL_URL", default=""))
vars().update(env.email_url("EMAIL_URL", default="consolemail://"))
if MAIL_BACKEND := env("MAIL_BACKEND", default=""):  # a service of django-anymail, with its settings as JSON
    MAIL_IS_SET, EMAIL_BACKEND, ANYMAIL = True, MAIL_BACKEND, env.json("MAIL_OPTIONS", default={})
DEFAULT_FROM_EMAIL = env("MAIL_FROM", default="nine-tables@localhost")
EMAIL_TIMEOUT = 20  # seconds

# The search of a draw, PDFs, exports and clean-up are tasks, which `manage.py worker` runs. False: they are done in the
# request, on a host that allows no process but the web's.
TASKS_APART = env.bool("TASKS_APART", default=True)
TASKS = {
    "default": {"BACKEND": "django_tasks_db.DatabaseBackend"},
    "at-once": {"BACKEND": "django_tasks.backends.immediate.ImmediateBackend"},
}
TASKS_KEPT_FOR = env.int("TASKS_KEPT_FOR", default=7)  # days for which finished tasks are kept, for looking into faults
MADE_KEPT_FOR = env.int("MADE_KEPT_FOR", default=30)  # days for which files are kept that nobody wants

# Days for which the log says who did something, for which contact details of members who stopped playing are kept, and
# sign-ups after their event; 0: for ever (clubsite.watch.retention). The privacy page shows them, and PRIVACY_CONTACT,
# whom people can ask.
LOG_NAMES_KEPT_FOR = env.int("LOG_NAMES_KEPT_FOR", default=3 * 365)
CONTACTS_KEPT_FOR = env.int("CONTACTS_KEPT_FOR", default=2 * 365)
SIGN_UPS_KEPT_FOR = env.int("SIGN_UPS_KEPT_FOR", default=14)
PHOTOS_KEPT_FOR = env.int("PHOTOS_KEPT_FOR", default=30)  # photos of cards, after the result was last published
UNCONFIRMED_KEPT_FOR = 3  # days for an address to which e-mail was asked, and nobody has agreed
PRIVACY_CONTACT = env("PRIVACY_CONTACT", default="")
ORDERS_WAITING = 12  # the most files that one visitor may be waiting for ...
ORDERS_OF_VISITORS = 30  # ... that all who aren't logged in may be waiting for together ...
ORDERS_OF_ALL = 300  # ... and that everybody may

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("es", "Español")]  # each named in its own language
LOCALE_PATHS = [BASE_DIR / "locale"]  # ./dev compiles them; a wheel brings them compiled
FORMAT_MODULE_PATH = "clubsite.formats"
TIME_ZONE = "UTC"  # stored in UTC; pages show the club's own zone
USE_THOUSAND_SEPARATOR = False  # ids stand in pages, too; figures for people are grouped by the filter `points`
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static", ("pictures", BASE_DIR / "docs" / "pictures")]  # those of the guides, too
# Whether `manage.py collectstatic` builds static files, as for `./dev run`: each is named by its content, compressed
# beforehand, and kept by browsers for more than a year. Otherwise (tests, development) files are served as they are.
STATIC_BUILT = env.bool("STATIC_BUILT", default=False)
STATIC_ROOT = VAR_DIR / "static" if STATIC_BUILT else None
# Where PDFs and other files made by tasks are kept, which all hosts of a database must reach: in a folder they share,
# or in another Django storage (such as django-storages), named by its class, with its options as JSON.
MEDIA_ROOT = env("MADE_FOLDER", default="") or VAR_DIR / "documents"
MADE_IN = env("MADE_IN", default="folder")
if MADE_IN == "database":
    raise SystemExit("MADE_IN=database is gone: name a folder that all hosts share by MADE_FOLDER.")
WHITENOISE_USE_FINDERS = not STATIC_BUILT
WHITENOISE_KEEP_ONLY_HASHED_FILES = True
# The typefaces for paper go to few browsers, and compressing them takes as long as all else at the first start.
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = (*Compressor.SKIP_COMPRESS_EXTENSIONS, "ttf")
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"}
    if MADE_IN == "folder"
    else {"BACKEND": MADE_IN, "OPTIONS": env.json("MADE_OPTIONS", default={})},
    "staticfiles": {
        "BACKEND": "clubsite.backends.BuiltFiles"
        if STATIC_BUILT
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
FILE_UPLOAD_PERMISSIONS = 0o600
FILE_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 4_000  # a grid of fifty tables has 2,500
DATA_UPLOAD_MAX_NUMBER_FILES = 5
REQUEST_LIMIT = 10 * 1024 * 1024  # bytes of a whole request; a larger one isn't read (clubsite.request_limits)

MESSAGE_TAGS = {messages.ERROR: "danger"}
DJANGO_TABLES2_TEMPLATE = "tournaments/shared/_table.html"

SESSION_ENGINE = "clubsite.accounts.sessions"
SESSION_COOKIE_AGE = 24 * 3600 * env.int("SESSION_DAYS", default=14)  # since the session was last saved
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

# Behind TLS (a public host), cookies are marked secure and HTTP is redirected. A hall's laptop serves plain HTTP.
HTTPS = env.bool("HTTPS", default=False)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
HSTS = env.bool("HSTS", default=HTTPS)  # off: the site may be served without TLS another day
SECURE_REDIRECT_EXEMPT = [r"^health/$"]  # a balancer asks without TLS
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HSTS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HSTS
# How many proxies of the host's own stand in front, each of which adds the address that connected to it; "on" is one
# (clubsite.addresses). 0: no header about where a request comes from is believed.
BEHIND_PROXY = parse_proxies(env("BEHIND_PROXY", default="off"))
# Set by `./dev run`, where no proxy is in front: a request over loopback then comes from this machine itself, whose
# user may set an empty install up without the code.
SERVED_DIRECTLY = env.bool("SERVED_DIRECTLY", default=False)
if BEHIND_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# LOG_FORMAT: lines for people, or JSON for programs; neither holds secret addresses (`watch.logs`).
# LOG_REQUESTS: a line for each request, or only for slow ones. Faults are also kept for the site's owner.
LOG_FORMAT = env("LOG_FORMAT", default="readable")
LOG_REQUESTS = env.bool("LOG_REQUESTS", default=LOG_FORMAT == "json")
LINES = "clubsite.watch.logs.JsonLines" if LOG_FORMAT == "json" else "clubsite.watch.logs.ReadableLines"
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"lines": {"()": LINES}},
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": "lines"},
        "faults": {"class": "clubsite.watch.logs.KeepFaults", "level": "ERROR"},
    },
    "root": {"handlers": ["console", "faults"], "level": "INFO"},
    # Django's own handlers are off: they would write it all again in another form, and mail faults with all values.
    "loggers": {"django": {"handlers": [], "level": "INFO", "propagate": True}},
}
