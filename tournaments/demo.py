"""The demo: three invented clubs with everything that the pages show. Their rows are data that `./dev lab demo` made.

The file has the rows of each club in the order in which they can be added. A text that begins with "§" means something
that differs from one loading to the next: "§2026-11-21T19:00:00-06:00" and "§2026-11-21" for a time and a date,
"§tournaments.Entry:12" for the key of a row. Passwords are made anew, and so are the links of tables."""

import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

from django.apps import apps
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from clubsite.accounts.models import Club, Role, User
from clubsite.accounts.roles import club_page, logged_in_user
from clubsite.accounts.starting import (
    demo_clubs,
    first_free,
    has_given_code,
    is_demo,
    is_from_this_machine,
    note_code_given,
    own_clubs,
)
from clubsite.codes import random_code
from clubsite.previews import fingerprint
from scoring.models import Deal
from tournaments.engine.rounds import grouped
from tournaments.models import Draw, Event
from tournaments.table_links.links import open_links

DATA = Path(__file__).with_name("demo.json.gz")
MARK = "§"
PEOPLE = (("director", "Dorothy Brennan"), ("scorekeeper", "Sam Ortiz"))  # users 1 and 2 of the file


@dataclass(frozen=True, slots=True)
class DemoLogin:
    """A log-in of the demo. Nothing else stores its password in the clear."""

    username: str
    password: str
    role: str


@dataclass(frozen=True, slots=True)
class Demo:
    logins: tuple[DemoLogin, ...]
    parish: Club
    harbour: Club
    county: Club
    night: Event  # on now, in the parish club
    contest: Event  # on now, in the county's club

    @property
    def director(self) -> DemoLogin:
        return self.logins[0]


def load(*, instead_of: Sequence[Club] = ()) -> Demo:
    """Load the demo, or nothing if that fails. The clubs in `instead_of` are deleted first."""
    with transaction.atomic():
        delete_clubs(list(instead_of))
        users = [_make_user(username, full_name) for username, full_name in PEOPLE]
        keys: dict[str, int] = {f"accounts.User:{n}": user.pk for n, (user, _password) in enumerate(users, start=1)}
        for part in json.loads(gzip.decompress(DATA.read_bytes())):
            _ClubLoader(part, keys).load()
        roles = Role.objects.filter(user__in=[user for user, _password in users])
        kinds = {role.user_id: str(role.get_kind_display()) for role in roles}
        clubs = {club.slug: club for club in Club.objects.filter(roles__in=roles)}
        running = Event.objects.filter(state=Event.State.RUNNING)
        for draw in Draw.objects.filter(
            round__stage__event__in=running.filter(club__in=clubs.values()),
            state=Draw.State.PUBLISHED,
            round__closed=False,
        ).select_related("round__stage__event"):
            open_links(draw)
        return Demo(
            tuple(DemoLogin(user.username, password, kinds[user.pk]) for user, password in users),
            parish=clubs["st-hilary"],
            harbour=clubs["harbour"],
            county=clubs["county"],
            night=running.get(club=clubs["st-hilary"]),
            contest=running.get(club=clubs["county"]),
        )


def delete_clubs(clubs: list[Club]) -> None:
    """Delete clubs with all that is theirs, and users who can log in to no other club (superusers stay).

    This is the only code that deletes recorded deals."""
    with transaction.atomic():
        keys = [club.pk for club in clubs]
        # Locked, so that nothing is recorded in them meanwhile, and a second removal at the same time finds none.
        list(Club.objects.select_for_update().filter(pk__in=keys).order_by("pk"))
        users = set(Role.objects.filter(club__in=clubs).values_list("user_id", flat=True))
        Club.objects.filter(pk__in=keys).delete()
        User.objects.filter(pk__in=users, roles=None, is_superuser=False).delete()


def running_since(now: datetime, hour: int, *, minutes: int) -> datetime:
    """The start of an event that is on now and has run for at least `minutes`: at `hour` if that fits, else at the last
    full or half hour that does. `now` is in the club's zone."""
    usual, latest = now.replace(hour=hour, minute=0, second=0, microsecond=0), now - timedelta(minutes=minutes)
    half = latest.replace(minute=30 if latest.minute >= 30 else 0, second=0, microsecond=0)
    return usual if now - timedelta(hours=6) <= usual <= latest else half


class _ClubLoader:
    """Loads one club of the file. Its past moves by whole days, so hours stay; what is on now is moved to now."""

    def __init__(self, part: Mapping[str, Any], keys: dict[str, int]) -> None:
        self.tables, self.keys = part["tables"], keys
        self.now = timezone.now().astimezone(ZoneInfo(part["zone"]))
        self.made = self.began = datetime.fromisoformat(part["made"]).astimezone(self.now.tzinfo)
        self.days, self.lately = self.now.date() - self.made.date(), timedelta(0)
        if on_now := part["on_now"]:
            self.began = datetime.fromisoformat(on_now["began"]).astimezone(self.now.tzinfo)
            begins = running_since(self.now, on_now["hour"], minutes=on_now["minutes"])
            self.days, self.lately = begins.date() - self.began.date(), begins - self.began
            self.began -= timedelta(minutes=30)  # people come before it begins

    def load(self) -> None:
        for label, columns, rows in self.tables:
            model = apps.get_model(label)
            added = [model(**dict(zip(columns[1:], map(self.column_value, row[1:]), strict=True))) for row in rows]
            if label == "scoring.DealVersion":
                for version in added:
                    version.submission = uuid4()
            moments = {
                name: [getattr(row, name) for row in added] for name in columns if _is_set_when_added(model, name)
            }
            model._base_manager.bulk_create(added)
            for name, times in moments.items():
                rows_of = grouped(zip(times, (row.pk for row in added), strict=True))
                for time, rows_then in rows_of.items():
                    model._base_manager.filter(pk__in=rows_then).update(**{name: time})
            self.keys.update((f"{label}:{row[0]}", new.pk) for row, new in zip(rows, added, strict=True))

    def column_value(self, value: Any) -> Any:
        if isinstance(value, str) and value.startswith(MARK):
            return self.resolve_mark(value.removeprefix(MARK))
        return self.json_value(value)

    def json_value(self, value: Any) -> Any:
        """A value inside JSON, where dates and times are texts."""
        if isinstance(value, str) and value.startswith(MARK):
            meant = self.resolve_mark(value.removeprefix(MARK))
            return meant if isinstance(meant, int) else meant.isoformat()
        if isinstance(value, list):
            return [self.json_value(item) for item in value]
        if isinstance(value, dict):
            return {str(self.json_value(key)): self.json_value(item) for key, item in value.items()}
        return value

    def resolve_mark(self, text: str) -> int | date:
        """The key, time or date that a text after the mark stands for."""
        if text[0].isalpha():
            return self.keys[text]
        if "T" not in text:
            return date.fromisoformat(text) + self.days
        then = datetime.fromisoformat(text).astimezone(self.now.tzinfo)
        if self.began <= then <= self.made:
            return min(then + self.lately, self.now - timedelta(seconds=1))
        return datetime.combine(then.date() + self.days, then.time(), self.now.tzinfo)


def _is_set_when_added(model: type[Model], name: str) -> bool:
    return getattr(model._meta.get_field(name), "auto_now_add", False)


def _make_user(username: str, full_name: str) -> tuple[User, str]:
    """Make a user, with a number added to a name that is taken. Returns the new password too."""
    taken = set(User.objects.filter(username__startswith=username).values_list("username", flat=True))
    password = random_code()
    user = User(username=first_free(username, taken), password=make_password(password))
    user.set_full_name(full_name)
    user.save()
    return user, password


@club_page
def remove(request: HttpRequest, club: Club) -> HttpResponse:
    if not is_demo(club):
        raise Http404
    user = logged_in_user(request)
    clubs = list(demo_clubs().filter(roles__user=user, roles__kind=Role.Kind.DIRECTOR))
    going = [
        (club, club.events.count(), club.members.count(), Deal.objects.filter(game__club=club).count())
        for club in clubs
    ]
    log_ins = User.objects.filter(roles__club__in=clubs, is_superuser=False).distinct()
    staying = list(own_clubs())
    only_here = [log_in.username for log_in in log_ins.exclude(roles__club__in=staying).order_by("username")]
    mark = fingerprint([(club.pk, *numbers) for club, *numbers in going] + only_here)
    if request.method == "POST":
        if request.POST.get("fingerprint") != mark:
            messages.error(
                request, _("The demo has changed since you opened this page. Check again what will be deleted.")
            )
            return redirect("demo_remove", club.slug)
        with transaction.atomic():
            delete_clubs(clubs)
        if not User.objects.filter(pk=user.pk).exists():
            proven = has_given_code(request) or is_from_this_machine(request)
            logout(request)
            if proven and not staying:
                note_code_given(request)  # so that they can go on and set up a club of their own
        messages.success(request, _("The demo is removed."))
        return redirect("home")
    context = {"going": going, "log_ins": only_here, "staying": staying, "fingerprint": mark, "myself": user.username}
    return render(request, "tournaments/setup/demo/remove.html", context)
