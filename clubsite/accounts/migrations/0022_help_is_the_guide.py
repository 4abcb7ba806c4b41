"""A club whose address was /help/ gets another one, because the guide is there now."""

from django.db import migrations


def give_another_address(apps, schema_editor):
    Club = apps.get_model("accounts", "Club")
    slug = "help-club"
    while Club.objects.filter(slug=slug).exists():
        slug += "-2"
    Club.objects.filter(slug="help").update(slug=slug)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0021_announcement")]

    operations = [migrations.RunPython(give_another_address, migrations.RunPython.noop)]
