"""Deleting the demo's clubs with everything that is theirs. The only place that deletes what was recorded."""

from __future__ import annotations

from django.db import transaction

from clubsite.accounts.models import Club, Role, User


def delete_clubs(clubs: list[Club]) -> None:
    """Delete clubs with everything that is theirs, and those who can log in to them only. Superusers stay."""
    with transaction.atomic():
        keys = [club.pk for club in clubs]
        # Locked, so that nothing is recorded in them meanwhile, and a second removal at the same time finds none.
        list(Club.objects.select_for_update().filter(pk__in=keys).order_by("pk"))
        users = set(Role.objects.filter(club__in=clubs).values_list("user_id", flat=True))
        Club.objects.filter(pk__in=keys).delete()
        User.objects.filter(pk__in=users, roles=None, is_superuser=False).delete()
