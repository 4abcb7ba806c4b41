from django.db import migrations, models


def end_searches(apps, schema_editor):
    """Those that are on have a process of the version before, and no task: who waits for one asks again."""
    apps.get_model('tournaments', 'DrawJob').objects.filter(state='running').update(state='done')


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0011_second_keying'),
    ]

    operations = [
        migrations.RunPython(end_searches, migrations.RunPython.noop),
        migrations.RemoveField(
            model_name='drawjob',
            name='beat_at',
        ),
        migrations.AddField(
            model_name='drawjob',
            name='attempt',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='drawjob',
            name='task',
            field=models.CharField(blank=True, max_length=64),
        ),
    ]
