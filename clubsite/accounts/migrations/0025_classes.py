from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0024_doors'),
    ]

    operations = [
        migrations.AddField(
            model_name='member',
            name='classes',
            field=models.CharField(blank=True, max_length=80, verbose_name='classes'),
        ),
    ]
