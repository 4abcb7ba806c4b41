# The files that tasks make, as FileFields of their rows; what they are made from waits in the row. Files are no longer
# kept in the database.

from django.db import migrations, models
from django.db.models import F, Value
from django.db.models.functions import Concat


def name_files(apps, schema_editor):
    made = apps.get_model("tasks", "MadeFile").objects
    made.filter(state="made").update(file=Concat(F("key"), Value("."), F("suffix"), output_field=models.CharField()))
    made.filter(state="made", suffix="pdf").update(
        picture=Concat(F("key"), Value(".png"), output_field=models.CharField())
    )
    made.exclude(state="made").update(state="failed")  # what was being made can be ordered again


class Migration(migrations.Migration):

    dependencies = [
        ("tasks", "0002_many_hosts"),
    ]

    operations = [
        migrations.AddField("MadeFile", "payload", models.TextField(blank=True, default=""), preserve_default=False),
        migrations.AddField(
            "MadeFile", "file", models.FileField(blank=True, default="", upload_to=""), preserve_default=False
        ),
        migrations.AddField(
            "MadeFile", "picture", models.FileField(blank=True, default="", upload_to=""), preserve_default=False
        ),
        migrations.RunPython(name_files, migrations.RunPython.noop),
        migrations.DeleteModel("StoredFile"),
    ]
