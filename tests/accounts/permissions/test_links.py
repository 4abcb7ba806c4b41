"""The links of tables in every state, held by everybody, at every address for them, by the table of permissions.

Names of another table, another round and another club must never be in an answer.
"""

from dataclasses import dataclass, field
from itertools import cycle
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from clubsite.accounts.models import Club, Role, User
from clubsite.accounts.permissions.table import AT_TABLE, LINES, LinkState
from scoring.models import Deal, DealVersion, HouseRules
from tests.conftest import make_user
from tests.examples import as_proof
from tests.tournaments import nights
from tournaments.models import Group, TableLink
from tournaments.rounds import publishing
from tournaments.standings.results import publish_result
from tournaments.table_links.links import link_state, make_code, make_token, revoke_links

AT = [name for name, line in LINES.items() if (line.opens | line.sends) & AT_TABLE]
ROLES = ("nobody", "stranger", "member", "treasurer", "scorekeeper", "director", "owner")
OUTSIDE = ("another table", "another round", "another club")


@dataclass
class Tables:
    tokens: dict[Any, str] = field(default_factory=dict)  # by `LinkState`, or one of `OUTSIDE`
    names: dict[Any, set[str]] = field(default_factory=dict)
    deals: dict[Any, int] = field(default_factory=dict)

    def add(self, key, draw, table=1):
        group = Group.objects.get(table__draw=draw, table__number=table)
        link = TableLink.objects.get(group=group)
        self.tokens[key] = make_token(link.nonce)
        self.names[key] = {name for side in group.names for name in side}
        self.deals[key] = Deal.objects.filter(game__group_game__group=group).latest("pk").pk
        if isinstance(key, LinkState):
            assert link_state(link) == key

    def url(self, name, held, of):
        token = self.tokens[held]
        games = ("table_game", "table_live_check", "table_right")
        args = {game: [1] for game in games} | {"table_deal": [self.deals[of]], "table_say": [self.deals[of]]}
        return reverse(name, args=[token, *args.get(name, [])])

    def others(self, key):
        """Names that no answer by this link may have: of everybody who doesn't sit at its table."""
        return {name for of, names in self.names.items() if of != key for name in names} - self.names.get(key, set())


def played(event, by, people, tables=1):
    nights.arrive(event, by, 4 * tables)
    for number, entry in enumerate(event.entries.select_related("member").order_by("pk")):
        entry.member.name = f"{people} {number:02}"
        entry.member.save(update_fields=["name"])
    draw = nights.publish_next(event, by)
    for game in nights.games_of(draw):
        nights.play_deals(game, by)
    return draw


@pytest.fixture
def tables(club, other_club, actor, rules_for):
    made, rules = Tables(), rules_for("st-hilary-v3")
    Club.objects.update(link_hours=0)
    club.refresh_from_db()

    def night(name, tables=1):
        event = nights.make_night(club, rules, slug=name.lower())
        return played(event, actor, name, tables)

    def over(draw):
        publishing.close_round(round=draw.round, by=actor, end_open=True, reason="time")
        return draw

    live = night("Leila", tables=2)
    made.add(LinkState.LIVE, live)
    made.add("another table", live, 2)
    made.add("another round", over(night("Rosalind")))
    made.add(LinkState.EXPIRED, over(night("Xaver")))
    finished = over(night("Ottilie"))
    publish_result(event=finished.round.stage.event, by=actor)
    TableLink.objects.filter(group__table__draw=finished).update(expires_at=None)
    made.add(LinkState.OVER, finished)
    ended = night("Reinhold")
    revoke_links(draw=ended, by=actor)
    made.add(LinkState.REVOKED, ended)
    back = night("Theodora")
    publishing.take_back_draw(draw=back, by=actor)
    back.refresh_from_db()
    made.add(LinkState.TAKEN_BACK, back)
    theirs = HouseRules.objects.get(pk=rules.pk)
    theirs.pk, theirs.club = None, other_club
    theirs.save()
    made.add("another club", played(nights.make_night(other_club, theirs), actor, "Harold"))
    made.tokens[LinkState.NONE] = "A" * 26
    return made


@pytest.fixture
def browsers(client_of, club, stranger, scorekeeper, director):
    member, treasurer = (make_user(kind, club, kind) for kind in (Role.Kind.MEMBER, Role.Kind.TREASURER))
    owner = User.objects.create_user(username="olga", is_superuser=True)
    made = (None, stranger, member, treasurer, scorekeeper, director, owner)
    return {role: client_of(user) for role, user in zip(ROLES, made, strict=True)}


def expected(name, method, held, of):
    line, answer = LINES[name], held.status if isinstance(held, LinkState) else 200
    if not (line.opens if method == "GET" else line.sends):
        return {405}
    if answer != 200:
        return {answer}
    return {200, 302, 422} if held == of or name not in ("table_deal", "table_say") else {404}


@pytest.mark.parametrize("whole", [False, as_proof([True])], ids=["in turn", "all"])
def test_a_link_opens_what_its_state_says_to_whoever_holds_it(tables, browsers, tried, whole):
    """Sends what records nothing: a name that isn't there, a side that there isn't."""
    before, wrong, told, count = DealVersion.objects.count(), [], [], 0
    turns = cycle(ROLES)
    cases = [(state, state) for state in LinkState if state != LinkState.NONE]
    cases += [(LinkState.LIVE, other) for other in OUTSIDE] + [(other, LinkState.LIVE) for other in OUTSIDE]
    cases += [
        (LinkState.REVOKED, LinkState.LIVE),
        (LinkState.EXPIRED, LinkState.LIVE),
        (LinkState.NONE, LinkState.LIVE),
    ]
    for held, of in cases:
        if held == "another round":  # that is over
            continue
        for name in AT:
            turn = next(turns)
            for number, (role, browser) in enumerate(browsers.items()):
                if not whole and role != turn:
                    continue
                url, network = tables.url(name, held, of), f"10.{number}.{AT.index(name)}.1"
                for method, ask in (("GET", browser.get), ("POST", browser.post)):
                    answer = ask(url, {"side": "7", "say": "right"}, REMOTE_ADDR=network)
                    count += 1
                    if answer.status_code not in expected(name, method, held, of):
                        wrong.append((held, of, name, method, role, answer.status_code))
                    shown = answer.content.decode()
                    told += [(held, of, name, role, other) for other in tables.others(held) if other in shown]
    assert wrong == []
    assert told == []
    assert DealVersion.objects.count() == before
    tried(count)


def test_a_code_opens_its_table_only_while_its_link_does(tables, club):
    for state in LinkState:
        if state == LinkState.NONE:
            continue
        link = next(
            one for one in TableLink.objects.select_related("event") if make_token(one.nonce) == tables.tokens[state]
        )
        url = reverse("table_code", args=[club.slug, link.event.slug])
        got = Client().post(url, {"code": make_code(link.nonce)})
        assert got.status_code == (302 if state is LinkState.LIVE else state.status)
        assert not [name for name in tables.names[state] if name in got.content.decode()]
