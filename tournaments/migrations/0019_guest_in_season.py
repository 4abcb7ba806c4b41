"""Season tables count nights for the members whose entries are now: those that a guest played who has joined since stay
a guest's until the club says otherwise, so that no table changes by itself."""

from typing import Any

from django.db import migrations, models


def keep_as_guests(apps: Any, _schema: Any) -> None:
    """Mark the entries of members that the newest result names as a guest's."""
    entry, published = (apps.get_model("tournaments", name) for name in ("Entry", "PublishedStandings"))
    results = published.objects.filter(final=True).order_by("event", "-number").values_list("event", "rows")
    last = None
    for event, rows in results.iterator(chunk_size=50):
        if event != last:
            guests = [row["entry"] for row in rows if row.get("member") is None]
            entry.objects.filter(event=event, pk__in=guests, member__isnull=False).update(guest_in_season=True)
        last = event


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0018_currency_stands")]

    operations = [
        migrations.AddField("entry", "guest_in_season", models.BooleanField(default=False)),
        migrations.RunPython(keep_as_guests, migrations.RunPython.noop),
    ]
