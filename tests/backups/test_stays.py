"""What was ended since a backup was made opens nothing after restoring it; wishes of privacy stay; cards go on."""

import pytest
from django.apps import apps
from django.db import DatabaseError, connection, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django_otp.plugins.otp_totp.models import TOTPDevice

from clubsite.accounts.invitations import invitation_code, invite_person, revoke
from clubsite.accounts.models import Club, Invitation, LogEntry, Member, Role, User
from clubsite.jobs.secret_key_check import adopt_key, has_same_key
from clubsite.names import NameReplacer
from clubsite.operations import staying
from clubsite.operations.backup import make_backup
from clubsite.operations.restore import restore
from tests.backups.halls import DORA, evenings
from tests.conftest import make_user
from tests.scoring.cards.test_race import alone
from tests.tournaments import nights
from tournaments.members.erasing import erase
from tournaments.members.merging import merge, unmerge
from tournaments.models import Draw, TableLink
from tournaments.rounds.publishing import take_back_draw
from tournaments.rounds.seat_changes import move_table
from tournaments.table_links.links import make_token, renew_links, revoke_links

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("real_database")]


def page(token):
    return int(Client().get(f"/t/{token}/").status_code)


def tokens(club, **which):
    return {link.group_id: make_token(link.nonce) for link in TableLink.objects.filter(event__club=club, **which)}


def restored(folder):
    oldest = min(folder.glob("*.backup"))
    return alone(lambda: restore(oldest, folder=folder, by=DORA))


def test_links_that_were_ended_stay_ended_and_those_on_the_cards_of_now_open(folder):
    here, there = evenings()
    alone(lambda: make_backup(folder))
    then = alone(lambda: tokens(here))
    ended, renewed = sorted(then)

    def evening():
        draw = Draw.objects.get(round__stage__event__club=here)
        revoke_links(draw=draw, by=DORA, group=ended)
        renew_links(draw=draw, by=DORA, group=renewed)

    alone(evening)
    fresh = alone(lambda: tokens(here, revoked_at=None))[renewed]
    restored(folder)
    assert alone(lambda: [page(then[ended]), page(then[renewed]), page(fresh)]) == [410, 410, 200]
    assert alone(lambda: [page(token) for token in tokens(there).values()]) == [200, 200]


def test_links_made_for_seats_that_were_changed_since_open_the_tables_of_then(folder):
    """They hang on a version of the draw that the backup hasn't got."""
    here, _there = evenings()
    alone(lambda: make_backup(folder))
    then = alone(lambda: tokens(here))

    def evening():
        draw = Draw.objects.get(round__stage__event__club=here)
        renew_links(draw=move_table(draw=draw, table=1, to=3, by=DORA), by=DORA)

    alone(evening)
    fresh = alone(lambda: tokens(here, revoked_at=None)).values()
    done = restored(folder)
    assert alone(lambda: [page(token) for token in (*then.values(), *fresh)]) == [410, 410, 200, 200]
    assert alone(lambda: set(tokens(here, revoked_at=None))) == set(then), "each table of then has one"
    assert list(done.notes.values()) == [["Print these cards again: Night friday, Round 1: 1."]]


def test_cards_of_a_draw_that_is_gone_are_named_to_be_printed_again(folder):
    here, _there = evenings()
    alone(lambda: make_backup(folder))
    then = alone(lambda: tokens(here))

    def another_draw():
        take_back_draw(draw=Draw.objects.get(round__stage__event__club=here), by=DORA)
        nights.publish_next(here.events.get(), DORA)

    alone(another_draw)
    done = restored(folder)
    assert alone(lambda: [page(token) for token in then.values()]) == [200, 200]
    again = "Print these cards again: Night friday, Round 1: 1, 2."
    assert done.notes == {here.pk: [again]}
    assert alone(lambda: LogEntry.objects.filter(club=here).values_list("new", flat=True)[:1][0])["notes"] == again


def test_who_may_come_in_stays_as_it_is(folder):
    here, _there = evenings()

    def before():
        make_user("rex", here, Role.Kind.DIRECTOR)
        make_user("una", here, Role.Kind.DIRECTOR)
        make_user("gone", here, Role.Kind.DIRECTOR)
        User.objects.create_superuser("olga")
        code = invitation_code(invite_person(club=here, by=DORA, name="Gil", kind=Role.Kind.DIRECTOR))
        make_backup(folder)
        return code

    def since():
        Role.objects.get(user__username="rex").delete()
        User.objects.get(username="gone").delete()
        Role.objects.filter(user__username="sam.hilary").update(kind=Role.Kind.MEMBER)
        revoke(invitation=Invitation.objects.get(name="Gil"), by=DORA)
        una = User.objects.get(username="una")
        una.set_password("a better one than before")
        una.save()
        TOTPDevice.objects.create(user=una, name="phone", confirmed=True)
        Club.objects.filter(pk=here.pk).update(second_factor=True)
        User.objects.filter(username="olga").update(is_superuser=False, is_staff=False)
        make_user("new", here, Role.Kind.DIRECTOR)

    code = alone(before)
    alone(since)
    restored(folder)

    def now():
        una = User.objects.get(username="una")
        return [
            sorted(Role.objects.filter(club=here).values_list("user__username", "kind")),
            "Gil" in Client().get(f"/login/invitation/{code}/").content.decode(),
            una.check_password("a better one than before"),
            TOTPDevice.objects.filter(user=una).count(),
            Club.objects.get(pk=here.pk).second_factor,
            User.objects.get(username="olga").is_superuser,
            list(User.objects.filter(username__startswith="gone").values_list("is_active", flat=True)),
        ]

    roles = [("new", "director"), ("sam.hilary", "member"), ("una", "director")]
    assert alone(now) == [roles, False, True, 1, True, False, [False]]


def test_what_people_asked_for_about_themselves_stays_as_they_asked(folder):
    """Initials, their own name again, no telephone number: it isn't for somebody who restores a backup to undo that."""
    here, _there = evenings()

    def members(*numbers):
        return Member.objects.filter(club=here, name__in=[f"Player {n:02}" for n in numbers]).order_by("name")

    def before():
        members(2).update(initials_only=True)
        members(3, 4).update(telephone="555 0134", email="p@example.org")
        make_backup(folder)

    def since():
        members(1).update(initials_only=True)
        members(2).update(initials_only=False)
        members(3).update(telephone="")
        members(4).update(telephone="555 0199")

    alone(before)
    alone(since)
    restored(folder)
    now = alone(lambda: list(members(1, 2, 3, 4).values_list("initials_only", "telephone", "email")))
    assert now == [(True, "", ""), (False, "", ""), (False, "", "p@example.org"), (False, "555 0134", "p@example.org")]


def test_who_was_erased_since_is_erased_again_with_their_log_in(folder):
    here, there = evenings()

    def before():
        own = make_user("pia", here, Role.Kind.MEMBER)
        Role.objects.filter(user=own).update(member=Member.objects.get(club=here, name="Player 03"))
        make_backup(folder)

    def since():
        for club in (here, there):
            member = Member.objects.get(club=club, name="Player 03")
            erase(member=member, by=DORA, typed=member.name)

    alone(before)
    alone(since)
    done = restored(folder)
    assert sorted(done.notes) == sorted([here.pk, there.pk])
    assert "Player 03" not in str(alone(lambda: list(Member.every.values_list("name"))))
    users = alone(lambda: dict(User.objects.values_list("username", "is_active")))
    assert "pia" not in users
    assert [active for name, active in users.items() if name.startswith("gone")] == [False]


@pytest.mark.daily(1)
@pytest.mark.parametrize("erased", ["Player 03", "Player 04", "Player 05"])
def test_who_was_one_with_somebody_else_in_the_backup_is_erased_alone(folder, erased):
    """Two merges were taken back since, and one of the three was erased: no other, and nothing of that one comes back,
    not even by the merge in the backup."""
    here, _there = evenings()
    names = ("Player 03", "Player 04", "Player 05")

    def named(name):
        return Member.every.get(club=here, name=name)

    def before():
        for name in names:
            Member.objects.create(club=here, name=f"{name}x", email=f"{name[-2:]}@example.org")
        merges = [
            merge(kept=named("Player 04x"), merged=named("Player 03x"), by=DORA),
            merge(kept=named("Player 05x"), merged=named("Player 04x"), by=DORA),
        ]
        make_backup(folder)
        return merges

    def since():
        for done in reversed(merges):
            unmerge(merge=done, by=DORA)
        erase(member=named(f"{erased}x"), by=DORA, typed=f"{erased}x")

    merges = alone(before)
    alone(since)
    done = restored(folder)
    assert list(done.notes) == [here.pk]

    def now():
        looked = NameReplacer({f"{erased}x": "?", f"{erased[-2:]}@example.org": "?"})
        rows = [(model._meta.label, row) for model in apps.get_models() for row in model._base_manager.values()]
        return [
            sorted(Member.objects.filter(club=here, name__endswith="x").values_list("name", flat=True)),
            [row for row in rows if looked.text(str(row)) != str(row)],
        ]

    assert alone(now) == [[f"{name}x" for name in names if name != erased], []]


def test_a_log_in_finds_its_member_again_after_going_back_and_forward(folder):
    here, _there = evenings()
    alone(lambda: make_backup(folder))

    def since():
        member = Member.objects.create(club=here, name="Pia")
        own = make_user("pia", here, Role.Kind.MEMBER)
        Role.objects.filter(user=own).update(member=member)
        invite_person(club=here, by=DORA, name="Pia", kind=Role.Kind.MEMBER)
        Invitation.objects.filter(name="Pia").update(member=member)
        return member

    member = alone(since)
    back = restored(folder)
    assert alone(lambda: Role.objects.get(user__username="pia").member_id) is None
    alone(lambda: restore(back.before, folder=folder, by=DORA))
    assert alone(lambda: Role.objects.get(user__username="pia").member_id) == member.pk
    assert alone(lambda: Invitation.objects.get(name="Pia").member_id) == member.pk


def test_more_keys_than_a_query_takes_are_asked_for_in_parts(folder):
    here, _there = evenings()
    many = range(1_000_000, 1_066_000)
    most = [0]

    def counted(execute, sql, values, *rest):
        most[0] = max(most[0], len(values or ()))
        return execute(sql, values, *rest)

    def put():
        kept = staying.read_present()
        assert kept
        kept["accounts"]["members"] += [[pk, False, False, False, False] for pk in many]
        links = kept["links"]
        links["ended"] += many
        links["follows"] += [[pk, None] for pk in many]
        links["live"] += [{**links["live"][0], "pk": pk} for pk in many]
        kept["erased"] += many
        with transaction.atomic(), connection.execute_wrapper(counted):
            staying.restore_present(kept, {}, by=DORA)

    alone(put)
    assert most[0] < 65_535, "as many values as PostgreSQL takes"
    assert alone(lambda: TableLink.objects.filter(event__club=here).count()) == 2


def test_what_is_to_stay_is_not_given_up_for_a_query_that_failed(folder, monkeypatch):
    """Else rights and wishes of privacy would be those of an older backup, and nobody told."""

    def failing():
        raise DatabaseError("too many values")

    evenings()
    monkeypatch.setitem(staying.STAYING, "links", (failing, lambda *args, **options: {}))
    with pytest.raises(DatabaseError, match="too many values"):
        alone(staying.read_present)
    last = alone(lambda: MigrationRecorder.Migration.objects.latest("pk"))
    alone(last.delete)  # as if the tables were another version's
    try:
        assert alone(staying.read_present) is None
    finally:
        alone(last.save)


def test_a_secret_key_that_was_adopted_since_stays(folder, settings):
    """Else no host with it would serve the database of then."""
    settings.MANY_HOSTS = True
    evenings()
    settings.SECRET_KEY = "lost"
    assert alone(has_same_key)
    alone(lambda: make_backup(folder))
    settings.SECRET_KEY = "new"
    alone(adopt_key)
    restored(folder)
    assert alone(has_same_key)
