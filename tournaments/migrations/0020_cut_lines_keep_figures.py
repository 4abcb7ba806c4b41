"""A cut's lines keep the figures they were decided by. Those of published versions are in the standings that were
published with them; drafts that an older version of the site kept have none."""

from typing import Any

from django.db import migrations, models


def fill(apps: Any, _schema: Any) -> None:
    """Copy each published cut's figures from its stage's standings."""
    cuts, standings = apps.get_model("tournaments", "Cut"), apps.get_model("tournaments", "PublishedStandings")
    for cut in cuts.objects.exclude(published_at=None).prefetch_related("lines"):
        versions = list(standings.objects.filter(stage=cut.stage_id).order_by("number"))
        before = [version for version in versions if version.at <= cut.published_at] or versions[:1]
        rows = {row["entry"]: row for row in before[-1].rows} if before else {}
        lines = [line for line in cut.lines.all() if line.entry_id in rows]
        for line in lines:
            row = rows[line.entry_id]
            line.where, line.points, line.games_won = row.get("group", ""), row["points"], row["games_won"]
        apps.get_model("tournaments", "CutLine").objects.bulk_update(lines, ["where", "points", "games_won"])


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0019_guest_in_season")]

    operations = [
        migrations.AddField("cutline", "where", models.CharField(blank=True, max_length=8)),
        migrations.AddField("cutline", "points", models.IntegerField(null=True)),
        migrations.AddField("cutline", "games_won", models.CharField(blank=True, max_length=8)),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
