from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0022_help_is_the_guide"),
    ]

    operations = [
        migrations.AddField(
            model_name="club",
            name="rating",
            field=models.BooleanField(
                default=False,
                help_text="A page with everybody's place and trend over all seasons. Season tables don't change.",
                verbose_name="club rating",
            ),
        ),
    ]
