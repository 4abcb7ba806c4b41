from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0030_mail_behind_doors'),
    ]

    operations = [
        migrations.AddField(
            model_name='prizeplan',
            name='classes',
            field=models.JSONField(default=dict),
        ),
    ]
