"""Every page of the site for everybody: who gets which answer, nothing breaks, and looking changes nothing."""

import re
from datetime import date
from io import BytesIO
from urllib.parse import quote, urlencode
from uuid import uuid4

import pytest
from django.db import connection
from django.urls import reverse
from django.utils import timezone
from PIL import Image

from clubsite.accounts.face import store_crest
from clubsite.accounts.invitations import invitation_code, invite_person
from clubsite.accounts.models import Club, Door, LogEntry, Role, User
from clubsite.accounts.permissions.gate import all_addresses, check_addresses
from clubsite.accounts.permissions.table import AT_TABLE, DESK, LINES, LOGGED_IN, NOBODY, Who, roles_for
from clubsite.jobs.models import MadeFile, Order
from scoring.cards.deals import start_game
from scoring.engine.core.ruleset import Shape, shipped
from scoring.house_rules.actions import adopt
from scoring.models import Deal, HouseRules
from tests.conftest import make_user
from tests.examples import as_proof, in_turn
from tests.kept import made_once
from tests.tournaments import contests, nights, results
from tests.tournaments.draws.test_by_format import make_event
from tests.tournaments.photos.photographs import photographed
from tournaments.cuts.cuts import propose, publish_cut
from tournaments.engine.handicap import HandicapRule
from tournaments.handicaps import choose_numbers, give_handicaps
from tournaments.models import Cut, Event, Group, SignUp, Subscriber, TableLink
from tournaments.seasons.actions import create_season
from tournaments.table_links.links import make_token

ROLES = ("nobody", "stranger", "removed", "member", "treasurer", "scorekeeper", "director", "owner")
USUAL = ("nobody", "stranger", "scorekeeper", "director")  # who open public pages here: the others see the same
# A file that can be made again isn't data: without workers its page makes and keeps it.
WRITES = re.compile(r'\W*(INSERT|UPDATE|DELETE)(?! (INTO |FROM )?"tasks_madefile")')
LET_IN, LOG_IN, MISSING, NOT_SO = "let in", "to the log-in", "not found", "not this way"

# Addresses whose page alone knows who may come in: by role what they get, where it isn't "not found".
GUARDED = {
    **{name: {"nobody": LOG_IN, "owner": LET_IN} for name in ("start", "start_club", "start_director", "site")},
    "start_demo": {"nobody": LOG_IN},
    "running": {},  # at the site's own computer alone: tests/serving/test_desktop.py
    "order": {"nobody": LOG_IN, "director": LET_IN},  # of this director
}
# The club isn't the demo's; there is no such backup (tests/backups has some).
CLOSED_TO_ALL = {"demo_remove", "backup", "backup_file"}


def expected(name, role, *, method="GET", document=""):
    line = LINES[name]
    if not (line.opens if method == "GET" else line.sends):
        known = method == "POST" and not line.guarded and _outcome(name, role, line.opens) != LET_IN
        return _outcome(name, role, NOBODY) if known else NOT_SO
    if line.guarded:
        return GUARDED[name].get(role, MISSING)
    if name in CLOSED_TO_ALL and role in ("director", "owner"):
        return MISSING
    return _outcome(name, role, roles_for(line, method=method, document=document))


def _outcome(name, role, allowed):
    if allowed & {Who.ANYONE, Who.TABLE}:
        return LET_IN
    if role == "nobody":
        return LOG_IN
    if name in SITE_WIDE:
        return LET_IN if allowed == LOGGED_IN or (role == "owner" and Who.OWNER in allowed) else MISSING
    return LET_IN if role in {str(who) for who in allowed - {Who.OWNER}} else MISSING


def got(answer):
    if answer.status_code == 302 and answer["Location"].startswith(f"{reverse('login')}?"):
        return LOG_IN
    return {404: MISSING, 405: NOT_SO}.get(answer.status_code, LET_IN if answer.status_code < 500 else "broken")


# What somebody could type into any field, or send by hand.
NASTY = ("9" * 5000, "²", "<script>alert(1)</script>\u202e")
FIELDS = (
    "step", "seen", "seed", "draw", "member", "back", "left", "name", "join", "planned", "season", "other", "level",
    "about", "s_target", "s_deals", "s_ranks", "s_run", "s_counters_0", "s_meld_savers", "s_bid_side_first",
    "reason", "fingerprint", "entry", "state", "submission", "number", "as_number", "bid", "bid_side", "meld_0",
    "take_1", "written_0", "points_0", "kind", "starts_at", "starts", "ends", "places", "games", "time_zone",
    "username", "password", "names", "columns", "token", "best", "attendance",
    "place_points", "attendance_points", "moving", "team_best", "scratch", "percent",
    "most", "deals", "needed", "secret", "title", "eligible", "note", "game", "stage-1-advance",
    "adjustment", "stage", "points", "tie_1", "sit_out_rule", "missing_rule", "handicap",
    "odd", "effort", "wish", "one", "table", "seat", "hard", "code", "say", "side", "says", "group",
    "what", "prize-0-kind", "prize-0-order", "prize-0-amount", "ties", "one_each", "newcomer", "guest", "to", "sat",
    "how", "gone", "text", "email", "telephone", "typed", "merge", "row-1", "fee", "amount", "words", "line",
)  # fmt: skip
TYPED = "application/x-www-form-urlencoded"  # as a browser sends what is typed
QUERY = (
    "page", "q", "before", "sort", "v", "game", "format", "back", "paper", "draw", "stage", "version", "copies",
    "from", "old", "new", "rules", "member", "others", "people", "minutes", "per_game", "places",
    "one", "other", "year",
)  # fmt: skip
STEPPED = {  # pages where every step is tried
    "entry", "cut", "cut_step", "draw_step", "end_set", "round_step", "result", "entries_import", "rules_change",
    "partners", "side_list", "event_handicap", "adjustments", "tie_breaks", "sit_out_rules", "stage_draw", "prizes",
    "event_money", "club_money", "season_money", "dues",
    "draw_search", "wishes", "round_clock", "table_links",
    "members_paste", "member", "merge",
}  # fmt: skip
# Addresses behind which each club has something of the same name: rule sets that come with the program.
OF_EVERY_CLUB = {
    "embed",
    "club_help",
    "shipped_rules",
    "shipped_rules_print",
    "rules_compare",
    "rules_change",
    "rules_copy",
    "handicap_list",
    "handicap_numbers",
    "files_out",
    "club_money_file",
    "members_file",
    "club_file",
}
SITE_WIDE = {
    "help",
    "home", "login", "logout", "password", "table_scanned", "game_scanned", "table_live_check", "table_right",
    "table_news", "table_who", "worker",
    "kept_pass", "no_network", "language", "start", "lost", "sessions", "invited", "invited_with",
    "factor", "login_factor", "owner_people", "favicon", "robots",
    "password_reset_confirm", "start_club", "start_director", "start_demo", "data_schema",
    "health", "site", "privacy",
    "backups", "backup", "backup_file", "everything", "running",
    "data_openapi",
}  # fmt: skip
STEPS = (
    "publish", "make", "close", "reopen", "take-back", "end", "give", "scratch", "lots", "play-off", "undo",
    "withdraw", "return", "call-up", "reserve", "seat", "replace", "next-lots", "next-play-off", "change",
    "enter", "enter-good", "look", "back", "join", "rest", "part", "club", "look-back", "adjust", "disqualify",
    "stand-ins",
    "best", "stop", "again", "add", "remove", "start", "pause", "go-on", "set-back", "renew", "revoke", "merge",
    "plan", "lots-aside", "pass", "take-part", "fee", "line", "prizes", "reverse", "unheard-of",
)  # fmt: skip
WHOLE = pytest.mark.parametrize("whole", [False, as_proof([True])], ids=["one each", "all"])


class Site:
    def __init__(self, club, by, rules):
        self.club = club
        club.rating = True
        club.save()
        day = date(2054, 9, 1)
        season = create_season(club=club, by=by, name="Winter", starts=day, ends=day.replace(year=2055))
        self.contest = contests.played_contest(club, by)
        first, second = (contests.stage_of(self.contest, n) for n in (1, 2))
        publish_cut(stage=first, by=by, fingerprint=propose(first).fingerprint)
        drawn = contests.drawn(second, by)
        self.night = nights.make_night(club, rules, season=season)
        nights.arrive(self.night, by, 9)
        played = nights.publish_next(self.night, by)
        nights.play_deals(nights.games_of(played)[0], by)
        self.fresh_night = nights.make_night(club, rules, slug="planned-night", day=20)
        self.fresh_contest = contests.contest(club, by, name="Planned contest")
        sides = [["Ann", "Bob"], ["Cal", "Dee"]]
        free = start_game(club=club, rules=rules, title="Window", sides=sides, submission=uuid4())
        fletcher = adopt(club=club, rule_set=shipped()["fletcher-two-hand"], by=by)
        for_two = start_game(club=club, rules=fletcher, title="Corner", sides=[["Ann"], ["Bob"]])
        numbers = HandicapRule(scratch=20)
        choose_numbers(club=club, game=rules.slug, rule=numbers, by=by)
        give_handicaps(event=self.night, rule=numbers, by=by)
        c, of_contest, of_night = club.slug, [club.slug, self.contest.slug], [club.slug, self.night.slug]
        swiss = nights.make_night(club, rules, slug="swiss", day=27, format=Event.Format.SWISS)
        nights.arrive(swiss, by, 5)
        closed = results.closed_night(season, rules, 2, {"Player 01": 9, "Player 02": -3})
        events = [self.contest, self.night, self.fresh_night, self.fresh_contest, swiss]
        every = [[c, event.slug] for event in events]
        drafted = nights.make_night(club, rules, slug="drafted", day=13)
        nights.arrive(drafted, by, 8)
        draft = nights.drafted(drafted, by, planned=2)
        league, cup = (
            make_event(club, by, kind, game="points-only", shape=Shape(2)) for kind in ("round-robin", "knock-out")
        )
        nights.arrive(league, by, 4)
        match = nights.publish_next(league, by).groups.order_by("pk")[0]
        cut = Cut.objects.get(stage=first, state=Cut.State.PUBLISHED)
        self.args = {
            **{name: [[]] for name in SITE_WIDE},
            **{
                name: [[c]]
                for name in (
                    "people",
                    "club_settings",
                    "log",
                    "mail",
                    "mail_desk",
                    "game_new",
                    "rules",
                    "club",
                    "events",
                )
            },
            **{name: [["nine-tables-none.backup"]] for name in ("backup", "backup_file")},
            "club_backups": [[c]],
            "colour_styles": [["1f5f43"]],
            "club_help": [[c], [c, "draw"]],
            **{name: [[c]] for name in ("club_link", "on_your_site")},
            "embed": [[c, "next"], [c, "result"], [c, "season"]],
            "member_link": [[c, club.member_key]],
            "crest": [[c, self._crest(club)]],
            **{name: [[c]] for name in ("desk", "phones", "event_new", "event_in", "event_advice", "season_new")},
            **{name: [[c]] for name in ("start_rules", "start_members", "start_night", "start_away", "demo_remove")},
            "start_cards": [of_night, of_contest],
            "invite": [[c]],
            "invitation": [[c, self._invitation(club, by).pk]],
            "invited_with": [[invitation_code(self._invitation(club, by))]],
            "password_reset_confirm": [["MQ", "wrong-token"]],
            "role_password": [[c, Role.objects.filter(club=club).order_by("pk")[0].pk]],
            "role": [[c, Role.objects.filter(club=club).order_by("pk")[0].pk]],
            **{
                name: [[c, game] for game in self._games(played, drawn, free)]
                for name in ("card", "live_check", "card_news", "card_reasons", "other_rules")
            },
            **{name: [[c, free.pk]] for name in ("game_end", "game_names")},
            "game_follow": [[c, free.submission]],
            **{name: [[c]] for name in ("files", "score_file", "rules_in")},
            "rules_out": [[c, r.slug, r.version] for r in HouseRules.objects.filter(club=club)],
            "files_out": [[c, "json"], [c, "csv"]],
            "handicap": [[c, for_two.pk]],
            **{name: [[c, Deal.objects.filter(game__club=club).latest("pk").pk]] for name in ("deal", "deal_mark")},
            "house_rules": [[c, r.slug, r.version] for r in HouseRules.objects.filter(club=club)],
            "rules_print": [[c, rules.slug, rules.version, "card"]],
            "shipped_rules_print": [[c, "hand-and-foot", "card"]],
            **{name: [[c, rules.slug]] for name in ("shipped_rules", "rules_compare", "rules_change", "rules_copy")},
            **dict.fromkeys(
                (
                    "event",
                    "event_calendar",
                    "coming",
                    "sign_ups",
                    "seats",
                    "evening",
                    "board",
                    "clock",
                    "desk_event",
                    "event_change",
                    "event_call_off",
                    "event_remove",
                    "print",
                ),
                every,
            ),
            **{
                name: [[c, season.pk]]
                for name in (
                    "season",
                    "season_need",
                    "season_change",
                    "season_rule",
                    "season_people",
                    "season_opening",
                    "season_following",
                )
            },
            "mail_own": [[c, Subscriber.objects.create(club=club, email="a@example.org", language="en").key]],
            "sign_up": [[c, self.fresh_night.slug, self._sign_up(self.fresh_night).submission]],
            **{name: [of_contest, [c, self.fresh_contest.slug]] for name in ("entries", "entries_import")},
            "entry": [[*of_contest, entry.pk] for entry in (cut.lines.first().entry, cut.lines.last().entry)],
            "stage_draw": [[*of_contest, 1]],
            "draw_step": [[*of_contest, drawn.pk]],
            "seat_changes": [
                [*at, Group.objects.filter(table__draw=draw)[0].pk]
                for at, draw in ((of_contest, drawn), (of_night, played))
            ],
            "end_set": [[*of_contest, Group.objects.filter(table__draw=drawn)[0].pk]],
            **{name: [of_contest, of_night] for name in ("adjustments", "tie_breaks", "prizes")},
            "sit_out_rules": [of_night],
            "walkover": [[c, league.slug, match.pk]],
            "side_leaves": [[c, league.slug]],
            "seeds": [[c, cup.slug]],
            "cut": [[*of_contest, 1]],
            "cut_step": [[*of_contest, cut.pk]],
            "result": [of_contest],
            **{name: [of_night, [c, self.fresh_night.slug]] for name in ("here", "round_draw", "night_close")},
            **{name: [[c, swiss.slug]] for name in ("partners", "side_list")},
            **{name: [of_night, [c, drafted.slug]] for name in ("draw_search", "wishes")},
            "draw_by_hand": [[c, drafted.slug, draft.pk]],
            "round_clock": [[*of_night, played.round_id]],
            **{name: [[*of_night, 1]] for name in ("round_step", "round_keying", "round_second_keying")},
            **{name: [[*of_contest, drawn.pk]] for name in ("stage_keying", "stage_second_keying")},
            **{name: [of_contest, of_night] for name in ("differences", "open_games", "photos", "photo_cards")},
            "photo_picture": [[*of_night, photographed(nights.games_of(played)[0]).pk]],
            "night_season": [of_night],
            "event_handicap": [of_night],
            "handicaps": [[c]],
            "rating": [[c]],
            **{name: [[c, rules.slug]] for name in ("handicap_list", "handicap_numbers")},
            **{name: [[*of_contest, "seating"]] for name in ("document", "document_picture")},
            "order": [[c, self._order(club, by).pk]],
            **self._for_programs(season, closed, self.contest, self.night),
            "season_document": [[c, season.pk, "table"]],
            **{name: [of_contest, of_night, [c, self.fresh_night.slug]] for name in ("table_code", "table_links")},
            **self._of_table(played),
            **{name: [[c]] for name in ("members", "members_paste", "guests", "merges")},
            **{
                name: [[c, self.night.entries.exclude(member=None)[0].member_id]]
                for name in ("person", "member", "merge", "member_export", "member_erase")
            },
        }

    @staticmethod
    def _for_programs(season, closed, *events):
        c = season.club.slug
        every = [[c, event.slug] for event in (closed, *events)]
        return {
            **{
                name: [[c]]
                for name in ("calendar", "club_data", "club_money", "dues", "club_picture", "feed", "manifest")
            },
            "event_picture": every,
            **dict.fromkeys(("fees", "event_money"), every),
            "event_money_file": [[*at, "csv"] for at in every],
            "club_money_file": [[c, "ods"]],
            "members_file": [[c, "csv"]],
            "season_money": [[c, season.pk]],
            "season_money_file": [[c, season.pk, "xlsx"]],
            **{name: [[c, season.pk]] for name in ("season_calendar", "season_data", "season_picture")},
            **dict.fromkeys(("event_data", "standings_data"), every),
            "result_data": [[c, closed.slug]],
            "result_file": [[c, closed.slug, kind] for kind in ("csv", "xlsx", "ods")],
            "season_file": [[c, season.pk, kind] for kind in ("csv", "xlsx", "ods")],
            "standings_file": [[*at, 1, kind] for at in every for kind in ("csv", "xlsx", "ods")],
            **{name: [[*at, "xlsx"] for at in every] for name in ("deals_file", "entries_file")},
            "event_file": every,
            "club_file": [[c]],
        }

    @staticmethod
    def _invitation(club, by):
        return invite_person(club=club, by=by, name="Player 09", kind=Role.Kind.SCOREKEEPER)

    @staticmethod
    def _crest(club):
        file = BytesIO()
        Image.new("RGB", (8, 8)).save(file, "PNG")
        store_crest(club, file.getvalue())
        club.save()
        return club.crest

    @staticmethod
    def _sign_up(event):
        return SignUp.objects.create(event=event, name="Player 03", submission=uuid4())

    @staticmethod
    def _order(club, by):
        file = MadeFile.objects.create(key="0" * 64, suffix="pdf", wanted_at=timezone.now())
        return Order.objects.create(
            file=file, club=club, user=by.user, role=Role.Kind.DIRECTOR, visitor="1", title="Cards", back="/"
        )

    @staticmethod
    def _of_table(played):
        deal = Deal.objects.filter(game=nights.games_of(played)[0])[0]
        token = make_token(TableLink.objects.get(group__games__game=deal.game_id).nonce)
        return {
            "which_event": [[]],
            **{name: [[token]] for name in ("table", "table_scanned", "table_news", "table_who")},
            "game_scanned": [[token, 1]],
            **{name: [[token, 1]] for name in ("table_game", "table_live_check", "table_right")},
            **{name: [[token, deal.pk]] for name in ("table_deal", "table_say")},
        }

    @staticmethod
    def _games(played, drawn, free):
        return [nights.games_of(played)[0].pk, nights.games_of(drawn)[0].pk, free.pk]

    def is_told_in(self, answer):
        """Whether an answer tells of anybody or anything of this club."""
        shown = answer.content.decode(errors="replace")
        return any(name in shown for name in ("Player 0", "Spring contest", "Planned contest", "Night friday"))

    def urls(self, name):
        return [reverse(name, args=args) for args in self.args[name]]


def made_site(club, by, rules):
    """A club where everything is going on, made once for all tests that begin from the same rows."""
    return made_once("site of every page", lambda: Site(club, by, rules))


@pytest.fixture
def site(club, actor, rules_for, settings):
    settings.MAIL_IS_SET = True
    return made_site(club, actor, rules_for("st-hilary-v3"))


@pytest.fixture
def browsers(client_of, club, stranger, scorekeeper, director):
    member, treasurer = (make_user(kind, club, kind) for kind in (Role.Kind.MEMBER, Role.Kind.TREASURER))
    removed = make_user("ruth", club, Role.Kind.SCOREKEEPER)
    owner = User.objects.create_user(username="olga", is_superuser=True)
    made = (None, stranger, removed, member, treasurer, scorekeeper, director, owner)
    browsers = {role: client_of(user) for role, user in zip(ROLES, made, strict=True)}
    Role.objects.get(user=removed).delete()
    for browser in browsers.values():
        browser.raise_request_exception = False
    return browsers


def one_each(urls):
    """One address of each document: who comes in doesn't depend on the event."""
    return list({document_in(url): url for url in reversed(urls)}.values())


def document_in(url):
    return url.rpartition("/")[2].partition(".")[0]


def leads_to_its_chapter(answer):
    """Whether a page of the desk has a link to the guide; what has no head of a page needs none."""
    page = b"" if answer.streaming else answer.content
    link = rb'class="help-link" href="/st-hilary/help/[a-z-]+/"'
    return b'class="masthead"' not in page or re.search(link, page) is not None


def test_every_address_has_a_line_and_every_line_an_address(site):
    assert {name for name, _pattern in all_addresses()} == set(LINES) == set(site.args)
    assert check_addresses() == []


@pytest.mark.long
@WHOLE
def test_everybody_gets_the_answer_of_the_table_and_looking_changes_nothing(site, browsers, whole):
    wrong = []
    writes = []

    def noted(execute, sql, *more):
        if WRITES.match(sql):
            writes.append(sql)
        return execute(sql, *more)

    assert browsers["nobody"].get(site.urls("table")[0]).status_code == 200  # whose link is worth nothing elsewhere
    for name, line in LINES.items():
        of_the_desk = line.opens & DESK and name not in SITE_WIDE
        for role in USUAL if Who.ANYONE in line.opens else ROLES:
            for url in site.urls(name) if whole else one_each(site.urls(name)):
                wanted = expected(name, role, document=document_in(url))
                if not (whole or wanted != LET_IN or role == "director" or in_turn(name)):
                    continue  # who may not come in is always asked
                with connection.execute_wrapper(noted):
                    answer = browsers[role].get(url)
                wrong += [(name, role, got(answer), wanted)] if got(answer) != wanted else []
                wrong += [(name, role, "names", url)] if wanted != LET_IN and site.is_told_in(answer) else []
                if wanted == LOG_IN:
                    assert answer["Location"] == f"{reverse('login')}?next={quote(url)}"
                if of_the_desk and role == "director" and not leads_to_its_chapter(answer):
                    wrong += [(name, role, "no chapter of the guide", url)]
    assert sorted(set(wrong)) == []
    assert writes == []


# What says something of the club to who has a secret address, or where a phone in the hall types its table's code.
BY_SECRET = {"sign_up", "game_follow", "member_link", "mail_own", "invited_with", "which_event", "table_code"}
BY_SECRET |= {name for name, line in LINES.items() if line.opens & AT_TABLE}


@pytest.mark.parametrize("door", [Door.LINK, Door.LOG_IN])
def test_a_club_whose_doors_are_closed_tells_a_stranger_nothing(site, browsers, door):
    Club.objects.update(nights_for=door, results_for=door, people_for=door)
    key = {"HTTP_COOKIE": f"club-{site.club.slug}={site.club.member_key}"}
    wrong = []
    for name in (name for name, line in LINES.items() if Who.ANYONE in line.opens and name not in BY_SECRET):
        for url in one_each(site.urls(name)):
            answers = [browsers[role].get(url) for role in ("nobody", "stranger")]
            answers += [browsers["nobody"].get(url, headers={"HX-Request": "true"})]
            answers += [browsers["nobody"].get(url, **key)] if door == Door.LOG_IN else []
            wrong += [(url, "told") for answer in answers if site.is_told_in(answer)]
            if LINES[name].behind:
                wrong += [(url, answer.status_code) for answer in answers if answer.status_code != 403]
                inside = [browsers["member"].get(url).status_code]
                inside += [browsers["nobody"].get(url, **key).status_code] if door == Door.LINK else []
                wrong += [(url, "inside", code) for code in inside if code not in (200, 302)]
    assert wrong == []


@WHOLE
def test_who_may_not_send_a_page_changes_nothing_by_sending_it(site, browsers, whole):
    before, wrong = LogEntry.objects.count(), []
    for name, line in LINES.items():
        if name in SITE_WIDE or line.guarded or line.sends & {Who.ANYONE, Who.TABLE}:
            continue
        for role in ROLES:
            for url in site.urls(name) if whole else one_each(site.urls(name)):
                wanted = expected(name, role, method="POST", document=document_in(url))
                if wanted == LET_IN:
                    continue
                answer = browsers[role].post(url, {"step": "publish", "reason": "why not", "name": "Zoe Zimmer"})
                wrong += [(url, role, got(answer), wanted)] if got(answer) != wanted else []
                if wanted == LOG_IN:
                    page = url if line.opens else "/"  # some addresses take what is sent, and show nothing
                    assert answer["Location"] == f"{reverse('login')}?next={quote(page)}"
    assert wrong == []
    assert LogEntry.objects.count() == before


@pytest.mark.parametrize(("name", "sent"), [(n, f) for n, line in LINES.items() for f in line.directors])
def test_what_only_directors_may_send_others_may_not(site, browsers, name, sent):
    field, _equals, value = sent.partition("=")
    before = LogEntry.objects.count()
    for role in set(ROLES) - {"director"}:
        for url in site.urls(name):
            answer = browsers[role].post(url, {field: value or "ask", "reason": "why not"})
            assert (role, got(answer)) == (role, LOG_IN if role == "nobody" else MISSING)
    assert LogEntry.objects.count() == before


def test_no_address_of_another_club_tells_of_this_one_or_changes_it(site, browsers, other_club):
    """Their director puts this club's keys and names behind their own club's address."""
    browser, before, told, found = browsers["stranger"], LogEntry.objects.filter(club=site.club).count(), [], set()
    for name in set(LINES) - SITE_WIDE - {name for name, line in LINES.items() if Who.TABLE in line.opens | line.sends}:
        for args in [args for args in site.args[name] if args[:1] == [site.club.slug]][:2]:
            url = reverse(name, args=[other_club.slug, *args[1:]])
            for answer in (browser.get(url), browser.post(url, {"step": "publish", "reason": "why not"})):
                told += [url] if site.is_told_in(answer) else []
                if len(args) > 1 and answer.status_code < 400 and got(answer) == LET_IN:
                    found.add(name)
    assert told == []
    assert found <= OF_EVERY_CLUB
    assert LogEntry.objects.filter(club=site.club).count() == before


def test_a_form_that_arrives_empty_breaks_no_page(site, browsers):
    """What a phone sends whose page was cut off."""
    urls = [site.urls(name)[0] for name in sorted(set(LINES) - SITE_WIDE)]
    assert [url for url in urls if browsers["director"].post(url).status_code >= 500] == []


@pytest.mark.proof
@pytest.mark.long
def test_nothing_that_somebody_sends_breaks_a_page(site, browsers):
    browser, broken = browsers["director"], []
    for name in sorted(set(LINES) - SITE_WIDE, key=lambda n: n == "role"):
        for url in site.urls(name):
            for nasty in NASTY:
                steps = STEPS if nasty == NASTY[-1] and name in STEPPED else (nasty,)
                filled = dict.fromkeys(FIELDS, nasty)
                answers = [browser.post(url, urlencode(filled | {"step": step}), TYPED) for step in steps]
                answers.append(browser.get(url, dict.fromkeys(QUERY, nasty)))
                broken += [(url, nasty[:20], a.request["REQUEST_METHOD"]) for a in answers if a.status_code >= 500]
    assert broken == []
