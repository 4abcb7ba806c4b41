"""What stays as it is now when a backup is restored: log-ins with their passwords and rights, invitations, second
factors, the clubs' doors, and what members asked for about themselves (initials, contact details that were emptied).
"""

import json
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from django.core import serializers
from django.db.models import QuerySet, Value
from django.db.models.functions import Concat
from django.utils.translation import gettext as _
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from clubsite.accounts.models import Actor, Club, Invitation, Member, Role, User

MODELS: tuple[Any, ...] = (User, Role, Invitation, TOTPDevice, StaticDevice, StaticToken)
DOORS = ("nights_for", "results_for", "people_for", "member_key")
CONTACT = ("email", "telephone", "note", "classes")  # columns of a member that stay empty
AT_ONCE = 5000  # keys in a query: PostgreSQL takes 65,535 values


def rows_to_json(rows: QuerySet[Any]) -> Any:
    """Rows as plain JSON, with their times to the microsecond, which Django's own JSON cuts off."""
    fields = [field.name for field in rows.model._meta.get_fields() if field.concrete and not field.many_to_many]
    return json.loads(json.dumps(serializers.serialize("python", rows, fields=fields), default=str))


def rows_from_json(rows: Any) -> Iterable[Any]:
    """Deserialized rows; their `save` writes them as they were."""
    return serializers.deserialize("python", rows, ignorenonexistent=True)


def in_batches(keys: Iterable[int]) -> Iterator[list[int]]:
    listed = list(keys)
    return (listed[at : at + AT_ONCE] for at in range(0, len(listed), AT_ONCE))


def read_accounts() -> dict[str, Any]:
    accounts: dict[str, Any] = {model._meta.label: rows_to_json(model.objects.order_by("pk")) for model in MODELS}
    clubs = Club.objects.order_by("pk")
    accounts["clubs"] = [list(row) for row in clubs.values_list("pk", "second_factor", "name")]
    accounts["doors"] = [list(row) for row in clubs.values_list("pk", *DOORS)]
    members = Member.every.filter(erased_at=None).order_by("pk")
    accounts["members"] = [list(row) for row in members.values_list("pk", "initials_only", *CONTACT)]
    for row in accounts["members"]:
        row[2:] = [bool(text) for text in row[2:]]
    return accounts


def restore_accounts(accounts: dict[str, Any], then: dict[str, Any], *, by: Actor) -> dict[int, list[str]]:
    """Replace the accounts of a restored database by these, and by `then`'s roles and invitations in clubs that come
    back. A log-in that has gone since stays, closed, as rows may refer to it. One that lost its member when an earlier
    backup was restored gets it back."""
    of_members = {
        model: dict(model._base_manager.exclude(member=None).values_list("pk", "member"))
        for model in (Role, Invitation)
    }
    User.objects.update(is_active=False, is_staff=False, is_superuser=False, username=Concat(Value("gone "), "pk"))
    for model in reversed(MODELS[1:]):
        model.objects.all().delete()
    present_clubs = {row[0] for row in accounts["clubs"]}
    for model in MODELS:
        for row in rows_from_json(accounts[model._meta.label] + _rows_of_lost_clubs(then, model, but=present_clubs)):
            if model in of_members and row.object.member_id is None:
                row.object.member_id = of_members[model].get(row.object.pk)
            if _has_what_it_names(row.object):
                row.save()  # raw: as it was
    for pk, second_factor, _name in accounts["clubs"]:
        Club.objects.filter(pk=pk).update(second_factor=second_factor)
    for pk, *doors in accounts.get("doors", ()):
        Club.objects.filter(pk=pk).update(**dict(zip(DOORS, doors, strict=True)))
    members = Member.every.filter(erased_at=None)
    for initials_only in (True, False):
        for pks in in_batches(row[0] for row in accounts["members"] if row[1] == initials_only):
            members.filter(pk__in=pks).exclude(initials_only=initials_only).update(initials_only=initials_only)
    for n, column in enumerate(CONTACT, start=2):
        empty = (row[0] for row in accounts["members"] if row[n : n + 1] == [False])  # a row of before may be shorter
        for pks in in_batches(empty):
            members.filter(pk__in=pks).exclude(**{column: ""}).update(**{column: ""})
    return {}


def _rows_of_lost_clubs(then: dict[str, Any], model: Any, *, but: Collection[int]) -> list[Any]:
    rows = then.get(model._meta.label, []) if model in (Role, Invitation) else []
    return [row for row in rows if row["fields"]["club"] not in but]


def list_rights(accounts: dict[str, Any], then: dict[str, Any], *, of_now: bool) -> list[str]:
    """The log-ins that own the site, or may do more in a club than see their own page, after `restore_accounts`; where
    `accounts` are `of_now` only those in clubs that come back."""
    users = {row["pk"]: row["fields"] for row in accounts[User._meta.label]}
    present_clubs = {row[0]: row[2] for row in accounts["clubs"]}
    clubs = {row[0]: row[2] for row in then.get("clubs", ())} | present_clubs
    named = [user["username"] for user in users.values() if user["is_superuser"] and not of_now]
    rights = [_("%(name)s: owner of the site") % {"name": name} for name in named]
    for row in ([] if of_now else accounts[Role._meta.label]) + _rows_of_lost_clubs(then, Role, but=present_clubs):
        role = row["fields"]
        if role["kind"] != Role.Kind.MEMBER and role["user"] in users and role["club"] in clubs:
            words = {"name": users[role["user"]]["username"], "role": Role.Kind(role["kind"]).label}
            rights.append(_("%(name)s: %(role)s, %(club)s") % {**words, "club": clubs[role["club"]]})
    return rights


def _has_what_it_names(row: Any) -> bool:
    """Whether the rows that this row must refer to are there; clears optional references to rows that aren't."""
    for field in row._meta.get_fields():
        if not field.concrete or not (field.many_to_one or field.one_to_one):
            continue
        pk = getattr(row, field.attname)
        if pk is None or field.related_model._base_manager.filter(pk=pk).exists():
            continue
        if not field.null:
            return False
        setattr(row, field.attname, None)
    return True
