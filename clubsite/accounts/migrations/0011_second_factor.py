from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0010_people"),
    ]

    operations = [
        migrations.AddField(
            model_name="club",
            name="second_factor",
            field=models.BooleanField(
                default=False,
                help_text="Then the director's pages wait until a director has set one up. Cards can be recorded without.",
                verbose_name="directors need a second factor",
            ),
        ),
    ]
