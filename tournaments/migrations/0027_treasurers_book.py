"""A day, a category, and cash or bank for each amount of the book; yearly dues."""

import datetime
from collections import defaultdict
from typing import Any
from zoneinfo import ZoneInfo

import django.db.models.deletion
from django.db import migrations, models


def date_lines(apps: Any, _schema: Any) -> None:
    """What was written so far has the day on which it was written, as the club's clock had it."""
    lines = apps.get_model("tournaments", "MoneyLine").objects
    of_day = defaultdict(list)
    for pk, at, zone in lines.values_list("pk", "at", "club__time_zone"):
        of_day[at.astimezone(ZoneInfo(zone)).date()].append(pk)
    for day, keys in of_day.items():
        for first in range(0, len(keys), 500):
            lines.filter(pk__in=keys[first : first + 500]).update(on=day)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0020_face"),
        ("tournaments", "0026_sign_ups"),
    ]

    operations = [
        migrations.AddField(
            model_name="moneyline",
            name="category",
            field=models.CharField(blank=True, max_length=40, verbose_name="category"),
        ),
        migrations.AddField(
            model_name="moneyline",
            name="member",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.RESTRICT,
                related_name="money_lines",
                to="accounts.member",
            ),
        ),
        migrations.AddField(
            model_name="moneyline",
            name="on",
            field=models.DateField(default=datetime.date(2000, 1, 1), verbose_name="date"),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="moneyline",
            name="way",
            field=models.CharField(
                choices=[("cash", "cash"), ("bank", "bank")], default="cash", max_length=4, verbose_name="cash or bank"
            ),
        ),
        migrations.AlterField(
            model_name="moneyline",
            name="kind",
            field=models.CharField(
                choices=[
                    ("fee", "fee"),
                    ("dues", "yearly dues"),
                    ("prize", "prize"),
                    ("income", "other income"),
                    ("cost", "cost"),
                    ("moved", "between cash and bank"),
                ],
                max_length=6,
                verbose_name="what for",
            ),
        ),
        migrations.CreateModel(
            name="Dues",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("year", models.PositiveSmallIntegerField()),
                ("amount", models.PositiveIntegerField(default=0)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="dues", to="accounts.club"
                    ),
                ),
            ],
            options={
                "ordering": ["year"],
            },
        ),
        migrations.AddField(
            model_name="moneyline",
            name="dues",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.RESTRICT,
                related_name="money_lines",
                to="tournaments.dues",
            ),
        ),
        migrations.AddConstraint(
            model_name="dues",
            constraint=models.UniqueConstraint(fields=("club", "year"), name="one_dues_of_a_year"),
        ),
        migrations.RunPython(date_lines, migrations.RunPython.noop),
    ]
