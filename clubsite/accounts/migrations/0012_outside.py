"""Since when a member no longer plays, from which their contact details are kept for a while."""

from django.db import migrations, models
from django.utils import timezone


def from_now_on(apps, schema_editor):
    """Nobody wrote down when they stopped: their time begins with this version."""
    apps.get_model("accounts", "Member")._base_manager.filter(active=False).update(inactive_since=timezone.now())


class Migration(migrations.Migration):
    dependencies = [("accounts", "0011_second_factor")]

    operations = [
        migrations.AddField(
            model_name="member", name="inactive_since", field=models.DateTimeField(editable=False, null=True)
        ),
        migrations.RunPython(from_now_on, migrations.RunPython.noop, elidable=True),
    ]
