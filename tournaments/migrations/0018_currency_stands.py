"""Clubs that have written amounts down keep the currency in which they were written."""

from typing import Any

from django.db import migrations
from django.db.models import Exists, OuterRef, Q

from clubsite.currency import usual_currency


def keep(apps: Any, _schema: Any) -> None:
    """Fix the currency of clubs with a fee, a planned prize or a line in the book."""
    club, event = apps.get_model("accounts", "Club"), apps.get_model("tournaments", "Event")
    lines = apps.get_model("tournaments", "MoneyLine").objects.filter(club=OuterRef("pk"))
    fees = event.objects.filter(club=OuterRef("pk"), fee__gt=0)
    prizes = apps.get_model("tournaments", "PrizePlan").objects.filter(event__club=OuterRef("pk"))
    for one in club.objects.filter(Q(Exists(lines)) | Q(Exists(fees)) | Q(Exists(prizes))):
        one.currency, one.currency_stands = one.currency or usual_currency(one.time_zone), True
        one.save(update_fields=["currency", "currency_stands"])


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0014_currency_stands"),
        ("tournaments", "0017_called_off"),
    ]

    operations = [migrations.RunPython(keep, migrations.RunPython.noop)]
