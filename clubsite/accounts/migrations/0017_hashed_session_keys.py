import hashlib
from typing import Any

from django.db import migrations


def hash_keys(apps: Any, schema_editor: Any) -> None:
    """Put hashes in place of the keys of sessions, which go on. Django's own table still has keys of long ago."""
    sessions = apps.get_model("accounts", "Session").objects
    for key in list(sessions.values_list("pk", flat=True)):
        sessions.filter(pk=key).update(session_key=hashlib.sha256(key.encode()).hexdigest()[:40])
    apps.get_model("sessions", "Session").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("accounts", "0016_code_by_owner"), ("sessions", "0001_initial")]

    operations = [migrations.RunPython(hash_keys, migrations.RunPython.noop)]
