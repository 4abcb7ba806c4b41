# What hosts that serve one database share: made files, the key's fingerprint, the code of a first visit

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tasks', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Shared',
            fields=[
                ('name', models.CharField(max_length=40, primary_key=True, serialize=False)),
                ('value', models.CharField(max_length=200)),
            ],
        ),
        migrations.CreateModel(
            name='StoredFile',
            fields=[
                ('name', models.CharField(max_length=100, primary_key=True, serialize=False)),
                ('content', models.BinaryField()),
                ('size', models.PositiveIntegerField()),
                ('stored_at', models.DateTimeField()),
            ],
        ),
    ]
