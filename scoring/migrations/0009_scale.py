# What the desk asks of the deals of all clubs, by index: docs/scale.md

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0008_game_submission'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddIndex(
            model_name='dealversion',
            index=models.Index(condition=models.Q(('current', True), ('state', 'disputed')), fields=['deal'], name='disputed_deals'),
        ),
    ]
