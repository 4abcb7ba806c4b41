"""Entries of the log know the event or the game that they are about. Those from before are told by the name that they
begin with, where one event alone had it; of two of a name they are found as they were (documents/record)."""

from collections import defaultdict

from django.db import migrations, models

PORTION = 2000  # entries that are changed at a time
ENDS = (": ", " · ")  # what stands after an event's name


def tell_events(apps, schema_editor):
    """Write the event's key into the entries that can only be its own."""
    LogEntry, Event = apps.get_model("accounts", "LogEntry"), apps.get_model("tournaments", "Event")
    named = defaultdict(set)  # club and name: keys of the events that had it
    addresses = {}
    for pk, club, slug, name in Event.objects.values_list("pk", "club", "slug", "name"):
        named[club, name].add(pk)
        addresses[club, slug] = pk
    changes = LogEntry.objects.filter(verb="event.change", new__has_key="address")
    for club, old, new in changes.values_list("club", "old", "new").iterator():
        pk = addresses.get((club, new["address"]))
        for kept in (old, new):
            if pk and isinstance(kept, dict) and kept.get("name"):
                named[club, kept["name"]].add(pk)
    found = defaultdict(list)
    for pk, club, subject in LogEntry.objects.values_list("pk", "club", "subject").iterator():
        keys = set().union(*(named.get((club, name), ()) for name in beginnings(subject)))
        if len(keys) == 1:
            found[keys.pop()].append(pk)
    for event, entries in found.items():
        for first in range(0, len(entries), PORTION):
            LogEntry.objects.filter(pk__in=entries[first : first + PORTION]).update(event=event)


def beginnings(subject):
    """All that could be the name of an event in what an entry is about: the whole, and what stands before each end."""
    yield subject
    for end in ENDS:
        at = subject.find(end)
        while at > 0:
            yield subject[:at]
            at = subject.find(end, at + 1)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0014_currency_stands"),
        ("tournaments", "0018_currency_stands"),
    ]

    operations = [
        migrations.AddField(model_name="logentry", name="event", field=models.BigIntegerField(null=True)),
        migrations.AddField(model_name="logentry", name="game", field=models.BigIntegerField(null=True)),
        migrations.RunPython(tell_events, migrations.RunPython.noop, elidable=True),
    ]
