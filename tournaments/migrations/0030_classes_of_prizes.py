from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0029_points_from_before'),
    ]

    operations = [
        migrations.AddField(
            model_name='prizeplan',
            name='classes',
            field=models.JSONField(default=dict),
        ),
    ]
