"""Clubs, the people who log in, what they may do, the club's members, and the log."""

from __future__ import annotations

import zoneinfo
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from secrets import token_urlsafe
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.contrib.sessions.base_session import AbstractBaseSession
from django.core.exceptions import ValidationError
from django.core.serializers.json import DjangoJSONEncoder
from django.core.validators import MaxValueValidator
from django.db import connection, models, transaction
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubsite import club_lock
from clubsite.currency import CURRENCIES, usual_currency
from clubsite.names import SortKey, TranslatedName, name_sort_key

LONGEST_WINDOW = 7 * 24 * 60  # minutes in which a published result may be open to corrections
# The first part of the site's own addresses.
RESERVED = {
    *("data", "health", "help", "kept", "language", "login", "logout", "password", "privacy", "site", "start"),
    *("static", "t", "T", "backups"),
}


def known_time_zone(value: str) -> None:
    if value not in zoneinfo.available_timezones():
        raise ValidationError(
            _("%(zone)s is not a time zone. Use a name such as America/Chicago."), params={"zone": value}
        )


class User(AbstractUser):
    def set_full_name(self, full_name: str) -> None:
        """The last of several words is the last name. The caller saves."""
        first, _space, last = full_name.rpartition(" ")
        self.first_name, self.last_name = (first or last)[:150], last[:150] if first else ""


class Door(models.IntegerChoices):
    """Who sees a part of a club's public pages; each also sees what those before see."""

    ANYONE = 0, _("everybody")
    LINK = 1, _("people with the club's link")
    LOG_IN = 2, _("people logged in to the club")


def new_member_key() -> str:
    return token_urlsafe(12)


class Club(models.Model):
    class Paper(models.TextChoices):
        A4 = "A4", _("A4")
        LETTER = "Letter", _("US Letter")

    class Agreement(models.TextChoices):
        """Who must confirm a deal before it counts as agreed; a paper card is signed by both sides."""

        BOTH = "both", _("every side, including the one that wrote it")
        ONE = "one", _("a side that didn't write it")
        NONE = "none", _("nobody is asked")

    class DatePlace(models.TextChoices):
        """Places whose style of dates, times and figures a club can follow, shown by example.

        The values are regions of locales: `clubsite.formats` has a module for each with each language.
        """

        BRITAIN = "gb", _("22 November 2026, 14:00; 1,250 points (Britain, Ireland)")
        UNITED_STATES = "us", _("Nov 22, 2026, 2:00 PM; 1,250 points (United States)")
        SPAIN = "es", _("22 November 2026, 14:00; 1.250 points (Spain)")
        MEXICO = "mx", _("22 November 2026, 2:00 PM; 1,250 points (Mexico)")

    name = models.CharField(_("name"), max_length=80)
    slug = models.SlugField(_("address"), unique=True, help_text=_("The club's part of the page address."))
    time_zone = models.CharField(_("time zone"), max_length=50, default="UTC", validators=[known_time_zone])
    language = models.CharField(
        _("language"),
        max_length=5,
        choices=settings.LANGUAGES,
        default=settings.LANGUAGE_CODE,
        help_text=_(
            "For the club's pages and everything you print. Visitors can choose another language for the pages."
        ),
    )
    date_place = models.CharField(
        _("dates, times and figures"), max_length=2, choices=DatePlace.choices, default=DatePlace.BRITAIN
    )
    paper = models.CharField(_("paper"), max_length=6, choices=Paper.choices, default=Paper.A4)
    correction_minutes = models.PositiveSmallIntegerField(
        _("minutes for corrections"),
        default=30,
        validators=[MaxValueValidator(LONGEST_WINDOW)],
        help_text=_("For this many minutes people can report mistakes; then the result is final."),
    )
    agreement = models.CharField(
        _("who agrees to a deal"),
        max_length=4,
        choices=Agreement.choices,
        default=Agreement.ONE,
        help_text=_(
            "For tables that score on their own phones. Once every deal of a finished game is agreed, its card is "
            "signed and only a director can change it."
        ),
    )
    link_hours = models.PositiveSmallIntegerField(
        _("hours that a table's link lasts after its round"),
        default=2,
        validators=[MaxValueValidator(48)],
        help_text=_(
            "After the round closes, a table can still fix its last deal for this many hours. Write 0 to stop at once."
        ),
    )
    currency = models.CharField(
        _("currency"),
        max_length=3,
        blank=True,
        choices=[("", _("the time zone's currency")), *CURRENCIES],
        help_text=_("For fees and prizes. Choose it before you enter the first amount."),
    )
    currency_stands = models.BooleanField(default=False, editable=False)  # whether any amount is written in it

    plays = models.CharField(
        _("when you play"),
        max_length=80,
        blank=True,
        help_text=_("For example: Wednesdays at 2, in the parish hall."),
    )
    announcement = models.TextField(
        _("announcement"),
        max_length=600,
        blank=True,
        help_text=_("Shown on the front page until the end of the day below. To remove it, clear this box."),
    )
    announcement_until = models.DateField(_("shown until"), null=True, blank=True)
    colour = models.CharField(max_length=7, blank=True)  # #rrggbb; empty: the site's green
    crest = models.CharField(max_length=16, blank=True, editable=False)  # which picture it is; empty: none

    rating = models.BooleanField(
        _("club rating"),
        default=False,
        help_text=_("A page with everybody's place and trend over all seasons. Season tables don't change."),
    )
    second_factor = models.BooleanField(
        _("directors need a second factor"),
        default=False,
        help_text=_("Directors can't open their pages until they have set one up. Cards can still be recorded."),
    )

    nights_for = models.PositiveSmallIntegerField(_("coming events"), choices=Door.choices, default=Door.ANYONE)
    results_for = models.PositiveSmallIntegerField(_("seats and results"), choices=Door.choices, default=Door.ANYONE)
    people_for = models.PositiveSmallIntegerField(_("people's own pages"), choices=Door.choices, default=Door.LINK)
    member_key = models.CharField(max_length=22, default=new_member_key, editable=False)  # in the club's link
    came_as = Door.ANYONE  # as whom the visitor of this request came: `roles`

    start_left = models.JSONField(default=list, editable=False)  # steps of the start that were skipped
    list_columns = models.JSONField(default=list, editable=False)  # what columns of pasted lists were chosen to be

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        if self.slug in RESERVED:
            words = _("%(slug)s is a page of this site. Choose another address.")
            raise ValidationError(words, params={"slug": self.slug})

    def shows(self, part: str) -> bool:
        """Whether the visitor may see this part: "nights", "results" or "people"."""
        return bool(self.came_as >= getattr(self, f"{part}_for"))

    @property
    def time_city(self) -> str:
        return self.time_zone.rpartition("/")[2].replace("_", " ")

    def get_absolute_url(self) -> str:
        return reverse("club", args=[self.slug])

    def lock(self) -> Club:
        """Lock the club for writing until the transaction ends, and read it as it is then.

        Every verb begins with this, before it reads anything that it decides on: a club's changes come one by one.
        """
        return Club.locked(self.pk)

    @contextmanager
    def locked_transaction(self) -> Iterator[Club]:
        """Open a transaction and give the club, locked and read anew."""
        with transaction.atomic():
            yield self.lock()

    @classmethod
    def acquire_lock(cls, pk: int) -> None:
        """`lock` for callers that don't need the club itself. No query where this transaction has the lock already, nor
        on SQLite, where one connection writes at a time. Raises DoesNotExist on PostgreSQL where the club is gone."""
        if club_lock.is_held(pk):
            return
        if connection.features.has_select_for_update:
            cls._waited_for().values_list("pk").get(pk=pk)
        club_lock.note_lock(pk)

    @classmethod
    def locked(cls, pk: int) -> Club:
        """`lock` for callers that know only the club's key. The query reads nothing else: that would be read before the
        wait, and miss what others did meanwhile."""
        club = cls._waited_for().get(pk=pk)
        club_lock.note_lock(pk)
        return club

    @classmethod
    def _waited_for(cls) -> models.QuerySet[Club]:
        return cls.objects.select_for_update(no_key=True)

    def fix_currency(self) -> None:
        """Once an amount is recorded, the currency stays even if the club's time zone changes."""
        if not self.currency_stands:
            self.currency, self.currency_stands = self.money, True
            self.save(update_fields=["currency", "currency_stands"])

    @property
    def money(self) -> str:
        """The code of the club's currency: "EUR"."""
        return self.currency or usual_currency(self.time_zone)

    @property
    def current_announcement(self) -> str:
        today = timezone.localdate(timezone=self.zone)
        return self.announcement if self.announcement_until and today <= self.announcement_until else ""

    @property
    def zone(self) -> zoneinfo.ZoneInfo:
        return zoneinfo.ZoneInfo(self.time_zone)


class Crest(models.Model):
    """A club's crest, beside the club, whose row every page reads."""

    club = models.OneToOneField(Club, on_delete=models.CASCADE, primary_key=True, related_name="+")
    image = models.BinaryField()  # a PNG: clubsite.accounts.face

    def __str__(self) -> str:
        return self.club.name


class Role(models.Model):
    class Kind(models.TextChoices):
        MEMBER = "member", _("member")
        TREASURER = "treasurer", _("treasurer")
        SCOREKEEPER = "scorekeeper", _("scorekeeper")
        DIRECTOR = "director", _("director")

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="roles")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="roles")
    kind = models.CharField(_("role"), max_length=12, choices=Kind.choices)
    # The member whose own page they may see; none for somebody who directs a club without playing in it.
    member = models.ForeignKey("Member", on_delete=models.SET_NULL, null=True, blank=True, related_name="log_ins")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "club"], name="one_role_per_user_and_club")]

    def __str__(self) -> str:
        return f"{self.user} · {self.get_kind_display()} · {self.club}"


class UnmergedMembers(models.Manager["Member"]):
    def get_queryset(self) -> models.QuerySet[Member]:
        return super().get_queryset().filter(merged_into=None)


class Member(models.Model):
    """A person of the club who plays.

    One that was merged into another stays as a row: what was published names it, and the merge can be taken back.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="members")
    name = models.CharField(_("name"), max_length=80)
    active = models.BooleanField(_("still plays"), default=True)
    inactive_since = models.DateTimeField(null=True, editable=False)  # contact details are kept for a while from then
    # For the club's directors alone: no page for anybody else shows these four.
    email = models.EmailField(_("e-mail"), blank=True)
    telephone = models.CharField(_("telephone"), max_length=40, blank=True)
    note = models.CharField(_("note"), max_length=200, blank=True)
    classes = models.CharField(_("classes"), max_length=80, blank=True)  # for prizes: "Ladies, Juniors"
    initials_only = models.BooleanField(
        _("initials only"),
        default=False,
        help_text=_("Public pages, the hall board and the sheets on the wall show “A. K.” instead of the name."),
    )
    merged_into = models.ForeignKey("self", on_delete=models.RESTRICT, null=True, related_name="merged")
    erased_at = models.DateTimeField(null=True)  # then the name is "A former member"

    objects = UnmergedMembers()
    every = models.Manager()

    class Meta:
        ordering = ["name"]
        base_manager_name = "every"
        constraints = [models.UniqueConstraint("club", Lower("name"), name="one_member_of_a_name")]

    def __str__(self) -> str:
        return self.name

    @property
    def by_name(self) -> SortKey:
        return name_sort_key(self.name)


class MemberMerge(models.Model):
    """A record that two members turned out to be one: which rows were moved, so that each can be moved back."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="merges")
    kept = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="took")
    merged = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="went")
    moved = models.JSONField(encoder=DjangoJSONEncoder)  # tournaments.members.merging.MergedRows as data
    at = models.DateTimeField(auto_now_add=True)
    actor = models.CharField(max_length=150)
    undone_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["merged"], condition=models.Q(undone_at=None), name="one_standing_merge_of_a_member"
            )
        ]

    def __str__(self) -> str:
        return f"{self.merged} → {self.kept}"


@dataclass(frozen=True, slots=True)
class Actor:
    """Who does something, and by which route: the form ("desk"), a table's own link ("table"), keyed from paper
    ("paper"), from a photo of the card ("photo"), or "simulated"."""

    user: User | None
    name: str
    route: str = "desk"
    director: bool = False  # whether a director of the club, who may change a signed card
    side: int | None = None  # at a table: which of its sides holds the phone, from 0; None where nobody said

    @classmethod
    def of(cls, user: User, *, director: bool = False) -> Actor:
        return cls(user=user, name=user.get_full_name() or user.username, director=director)


class LogEntry(models.Model):
    """One action: written in its transaction, and never changed. Only the name of a person who is erased is taken out
    of it (`tournaments.members.erasing`)."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="log")
    at = models.DateTimeField(auto_now_add=True)
    user = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    actor = TranslatedName(max_length=150)  # "Table 3" for somebody who scores by the table's link
    route = models.CharField(max_length=12)
    verb = models.CharField(max_length=40)  # stable code, e.g. "deal.correct"
    subject = TranslatedName(max_length=200)
    # Keys of what it is about, for apps that know events and games. No foreign keys: this app knows neither, and an
    # entry stays when restoring a backup takes its event away.
    event = models.BigIntegerField(null=True)
    game = models.BigIntegerField(null=True)
    old = models.JSONField(null=True)
    new = models.JSONField(null=True)

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["club", "-id"]), models.Index(fields=["club", "at"])]

    def __str__(self) -> str:
        return f"{self.actor}: {self.verb} {self.subject}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.pk is not None:
            raise TypeError("the log is append-only")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise TypeError("the log is append-only")


class Throttle(models.Model):
    """How often something was tried under one key, since when: see `clubsite.accounts.login_attempts`."""

    key = models.CharField(max_length=64, primary_key=True)
    count = models.PositiveIntegerField()
    since = models.DateTimeField()
    last = models.DateTimeField(default=timezone.now)


class Session(AbstractBaseSession):
    """A browser that is logged in, with what its user recognises it by: see `clubsite.accounts.sessions`."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, null=True, related_name="sessions")
    agent = models.CharField(max_length=200)  # what the browser says about itself
    address = models.CharField(max_length=45)
    since = models.DateTimeField(null=True)
    seen = models.DateTimeField(null=True)  # when it last sent a form, to within an hour

    @classmethod
    def get_session_store_class(cls) -> Any:
        from clubsite.accounts.sessions import SessionStore

        return SessionStore


class Invitation(models.Model):
    """A code by which somebody gets a log-in in a club, or sets a new password. It works once, for a limited time,
    unless it is taken back.

    The code is computed from the nonce with the installation's secret key whenever it is shown; only a hash is kept.
    """

    class Purpose(models.TextChoices):
        JOIN = "join", _("invitation")
        PASSWORD = "password", _("new password")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="invitations")
    purpose = models.CharField(max_length=8, choices=Purpose.choices)
    name = models.CharField(_("name"), max_length=140)
    kind = models.CharField(_("role"), max_length=12, choices=Role.Kind.choices, blank=True)
    member = models.ForeignKey(Member, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    email = models.EmailField(_("e-mail"), blank=True)
    user = models.ForeignKey(User, on_delete=models.CASCADE, null=True, related_name="+")  # whose password it sets
    by_owner = models.BooleanField(default=False)  # made by the site's owner: sets the password of any log-in
    nonce = models.CharField(max_length=32)
    code_hash = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(auto_now_add=True)
    made_by = models.CharField(max_length=150)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.name
