"""What the verbs of events, draws, rounds, cuts and seasons mean in the log, and words for what it stores as codes and
figures: sentences for the counts of a draw, labels for choices. See `clubsite.accounts.audit_log`."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.timezone import localtime
from django.utils.translation import gettext_lazy as _

from clubsite.accounts.audit_log import choice_labels
from scoring.models import DealVersion, Game
from tournaments.draws import rotation
from tournaments.draws.by_format import seeding_words
from tournaments.draws.words import draw_summary, rematch_sentences, statement_sentences
from tournaments.engine.result_points import ResultPoints
from tournaments.events.words import TIE_BREAKS
from tournaments.models import Entry, Event, Stage
from tournaments.templatetags.event_tags import describe_result_points

SENTENCES: dict[str, str | Promise] = {
    # Members, the guided start
    "start.night": _("%(who)s set up the first night: %(what)s."),
    "demo.load": _("%(who)s made %(what)s with invented people and results."),
    "member.add": _("%(who)s added the member %(what)s."),
    "members.add": _("%(who)s added members from a list: %(what)s."),
    "member.change": _("%(who)s changed the details of %(what)s."),
    "member.active": _("%(who)s changed whether %(what)s still plays."),
    "member.join": _("%(who)s made the guest %(what)s a member."),
    "names.answer": _("%(who)s answered about names that sound alike: %(what)s."),
    "member.nights": _("%(who)s decided whether the nights of %(what)s as a guest count in the season."),
    "member.remove": _("%(who)s removed a member added by mistake: %(what)s."),
    "member.merge": _("%(who)s merged two members: %(what)s."),
    "member.unmerge": _("%(who)s separated two merged members: %(what)s."),
    "member.export": _("%(who)s exported all data about %(what)s."),
    "member.erase": _("%(who)s erased a person, now called %(what)s."),
    "mail.delete": _("%(who)s deleted somebody's address: no e-mail of %(what)s goes there now."),
    # Events, their entries and sides
    "event.create": _("%(who)s made the event %(what)s."),
    "event.change": _("%(who)s changed the event %(what)s."),
    "event.call-off": _("%(who)s called the event %(what)s off."),
    "event.put-on": _("%(who)s reinstated the event %(what)s."),
    "event.remove": _("%(who)s removed the event %(what)s, made by mistake."),
    "event.handicap": _("%(who)s changed whether handicaps count in %(what)s."),
    "stage.change": _("%(who)s changed the stage %(what)s."),
    "sign-up.add": _("%(who)s signed up for %(what)s."),
    "sign-up.cancel": _("%(who)s cancelled a sign-up for %(what)s."),
    "entries.import": _("%(who)s entered a list of names for %(what)s."),
    "entry.add": _("%(who)s added an entry: %(what)s."),
    "entry.change": _("%(who)s changed an entry: %(what)s."),
    "entry.remove": _("%(who)s removed a name entered by mistake: %(what)s."),
    "entry.withdraw": _("%(who)s withdrew an entry: %(what)s."),
    "entry.disqualify": _("%(who)s disqualified an entry: %(what)s."),
    "entry.return": _("%(who)s reinstated an entry: %(what)s."),
    "entry.call-up": _("%(who)s called up a reserve: %(what)s."),
    "entry.reserve": _("%(who)s made an entry a reserve: %(what)s."),
    "sides.enter": _("%(who)s entered a list of pairs or teams for %(what)s."),
    "side.join": _("%(who)s made a pair or team: %(what)s."),
    "side.part": _("%(who)s separated a pair or team: %(what)s."),
    "side.club": _("%(who)s changed the club of a side: %(what)s."),
    "night.arrive": _("%(who)s marked as here: %(what)s."),
    "night.leave": _("%(who)s marked as gone: %(what)s."),
    "night.return": _("%(who)s marked as back: %(what)s."),
    # Money
    "money.set-fee": _("%(who)s set the fee of %(what)s."),
    "money.fee": _("%(who)s took a fee: %(what)s."),
    "money.set-dues": _("%(who)s set the yearly dues: %(what)s."),
    "money.dues": _("%(who)s took yearly dues: %(what)s."),
    "money.prize": _("%(who)s recorded a prize in the book: %(what)s."),
    "money.income": _("%(who)s recorded money coming in: %(what)s."),
    "money.cost": _("%(who)s recorded money going out: %(what)s."),
    "money.moved": _("%(who)s moved money between cash and bank: %(what)s."),
    "money.reverse": _("%(who)s reversed a line of the book: %(what)s."),
    # Prizes
    "prizes.plan": _("%(who)s set the prizes: %(what)s."),
    "prizes.lots": _("%(who)s drew the lots for the prizes of %(what)s."),
    "prizes.lots-aside": _("%(who)s set the lots for the prizes aside: %(what)s."),
    "prizes.pass": _("%(who)s said whether somebody takes a prize: %(what)s."),
    "prizes.publish": _("%(who)s published the prizes of %(what)s."),
    "prizes.withdraw": _("%(who)s took the prizes back: %(what)s."),
    # Draws and seats
    "wish.add": _("%(who)s noted a wish: %(what)s."),
    "wish.remove": _("%(who)s removed a wish: %(what)s."),
    "draw.make": _("%(who)s made a draw: %(what)s."),
    "draw.by-hand": _("%(who)s swapped two people in a draw: %(what)s."),
    "draw.publish": _("%(who)s published a draw: %(what)s."),
    "draw.withdraw": _("%(who)s took a draw back: %(what)s."),
    "seat.take": _("%(who)s gave a reserve a seat: %(what)s."),
    "stand-ins.fill": _("%(who)s named a stand-in: %(what)s."),
    "seats.take": _("%(who)s gave somebody's seat to another: %(what)s."),
    "seats.for": _("%(who)s let somebody play for another: %(what)s."),
    "seats.swap": _("%(who)s swapped two seats: %(what)s."),
    "seats.move": _("%(who)s moved a table: %(what)s."),
    "seats.cards": _("%(who)s swapped the cards of two tables: %(what)s."),
    "seats.table": _("%(who)s added a table to the round: %(what)s."),
    "seats.change-back": _("%(who)s took a change of seats back: %(what)s."),
    # Rounds
    "round.close": _("%(who)s closed a round: %(what)s."),
    "round.reopen": _("%(who)s reopened a round: %(what)s."),
    "round.second-keying": _("%(who)s asked for a second keying: %(what)s."),
    "round.second-keying-off": _("%(who)s cancelled the second keying: %(what)s."),
    "set.end": _("%(who)s ended the games of a table: %(what)s."),
    "set.reopen": _("%(who)s reopened the games of a table: %(what)s."),
    "clock.start": _("%(who)s started the clock: %(what)s."),
    "clock.pause": _("%(who)s stopped the clock: %(what)s."),
    "clock.go-on": _("%(who)s continued the clock: %(what)s."),
    "clock.minutes": _("%(who)s changed the minutes of a round: %(what)s."),
    "clock.set-back": _("%(who)s set the clock back: %(what)s."),
    "deal.keyed-same": _("%(who)s keyed a deal a second time, the same: %(what)s."),
    "deal.keyed-different": _("%(who)s keyed a deal a second time, and it differs: %(what)s."),
    "deal.keyed-settled": _("%(who)s keyed a deal a second time that is settled: %(what)s."),
    "deal.keying-settled": _("%(who)s settled a difference of two keyings: %(what)s."),
    "links.make": _("%(who)s made the links of the tables: %(what)s."),
    "links.renew": _("%(who)s made new links of tables: %(what)s."),
    "links.revoke": _("%(who)s ended links of tables: %(what)s."),
    "links.guessed": _("%(who)s: too many wrong table codes were tried at %(what)s."),
    # Standings, cuts, rulings
    "adjustment.make": _("%(who)s adjusted the points of %(what)s."),
    "adjustment.withdraw": _("%(who)s took an adjustment of points back: %(what)s."),
    "walkover.give": _("%(who)s gave a walkover: %(what)s."),
    "walkover.withdraw": _("%(who)s took a walkover back: %(what)s."),
    "event.seeds": _("%(who)s changed the seeds of %(what)s."),
    "side.remove": _("%(who)s noted that a side has left for good: %(what)s."),
    "side.reinstate": _("%(who)s brought a side back into the event: %(what)s."),
    "tie-breaks.change": _("%(who)s changed the tie-breaks of %(what)s."),
    "sit-out-rules.change": _("%(who)s changed what a sit-out is worth in %(what)s."),
    "standings.publish": _("%(who)s published the standings of %(what)s."),
    "result.publish": _("%(who)s published the result of %(what)s."),
    "result.withdraw": _("%(who)s took back the result of %(what)s."),
    "cut.publish": _("%(who)s published a cut: %(what)s."),
    "cut.withdraw": _("%(who)s took back a cut: %(what)s."),
    "cut.play-off": _("%(who)s recorded a play-off: %(what)s."),
    "cut.lots": _("%(who)s drew lots: %(what)s."),
    "cut.leave": _("%(who)s kept a cut by a ruling: %(what)s."),
    "cut.rule": _("%(who)s replaced a finalist by a ruling: %(what)s."),
    "cut.undo": _("%(who)s took back a play-off or lots: %(what)s."),
    "cut.settle-next": _("%(who)s settled who is next in line: %(what)s."),
    "cut.call-up": _("%(who)s called up the next in line: %(what)s."),
    # Seasons, handicaps
    "event.import": _("%(who)s imported an event from a file: %(what)s."),
    "season.make": _("%(who)s made the season %(what)s."),
    "season.change": _("%(who)s changed the name or the days of the season %(what)s."),
    "season.assign": _("%(who)s put an event into a season: %(what)s."),
    "season.rule": _("%(who)s changed how the season %(what)s counts."),
    "season.people": _("%(who)s changed divisions or teams of the season %(what)s."),
    "season.opening": _("%(who)s entered points from before for the season %(what)s."),
    "season.opening-back": _("%(who)s took back the points from before of the season %(what)s."),
    "season.follow": _("%(who)s made the next season: %(what)s."),
    "handicap.numbers": _("%(who)s changed the numbers of handicaps for %(what)s."),
}

_EVENTS, _PEOPLE, _ROUNDS = _("Events and seasons"), _("Who takes part"), _("Rounds and seats")
_RESULTS, _MONEY = _("Standings and cuts"), _("Prizes and money")
KINDS: dict[str, Promise] = {
    **dict.fromkeys(("event", "stage", "season"), _EVENTS),
    **dict.fromkeys(("entry", "entries", "sign-up", "side", "sides", "night", "seat", "wish", "stand-ins"), _PEOPLE),
    **dict.fromkeys(("draw", "round", "seats", "set", "clock", "links"), _ROUNDS),
    **dict.fromkeys(("cut", "standings", "result", "adjustment", "walkover", "tie-breaks", "sit-out-rules"), _RESULTS),
    **dict.fromkeys(("money", "prizes"), _MONEY),
    "mail": _PEOPLE,
}

LABELS: dict[str, str | Promise] = {
    "at_bell": _("when the time is up"),
    "advance": _("how many go on"),
    "amount": _("amount"),
    "at": _("when"),
    "cut_rule": _("who goes on"),
    "despite": _("said yes to"),
    "disqualified": _("disqualified"),
    "door": _("lot number of the door prize"),
    "draw": _("draw"),
    "eligible": _("may go on"),
    "ended": _("tables ended"),
    "entries": _("entries"),
    "fee": _("fee"),
    "dues": _("yearly dues"),
    "final": _("final"),
    "format": _("format"),
    "guest": _("guest"),
    "hard": _("must be met"),
    "left open": _("tables still playing"),
    "level": _("lot number for those who are level"),
    "links": _("links"),
    "member": _("member"),
    "minutes": _("minutes"),
    "missing_rule": _("a missed round counts"),
    "one person": _("one person"),
    "two people": _("two people"),
    "absent": _("not there"),
    "decided": _("matches that were open"),
    "removed": _("its matches"),
    "walkover_points": _("a walkover counts"),
    "moved": _("places that moved"),
    "names": _("names"),
    "note": _("note"),
    "numbers": _("numbers"),
    "open_sets": _("tables still playing"),
    "one prize a person": _("one prize a person"),
    "options": _("options of the format"),
    "order": _("order"),
    "place": _("where"),
    "places": _("places"),
    "passes": _("takes no prize"),
    "points": _("points"),
    "prizes": _("prizes"),
    "ran": _("seconds that it ran"),
    "result": _("version of the result"),
    "result_points": _("points for results"),
    "right": _("what is right"),
    "round_minutes": _("minutes of a round"),
    "rules": _("rules"),
    "season": _("season"),
    "seed": _("lot number"),
    "seeded": _("seeded"),
    "shape": _("sides and players"),
    "sit_out_rule": _("a sit-out counts"),
    "stage": _("stage"),
    "starts": _("first day"),
    "ends": _("last day"),
    "starts_at": _("begins"),
    "statement": _("how often people meet"),
    "tables": _("tables"),
    "those who are level": _("those who are level"),
    "through": _("going on"),
    "tie_breaks": _("tie-breaks"),
    "wild_cards": _("wild cards"),
    "words": _("what for"),
    "wrong_codes": _("wrong codes"),
}


def describe_statement(value: Any) -> str:
    """What a draw repeats, in sentences; "" if its statement counts nothing."""
    if not isinstance(value, Mapping):
        return ""
    if "partner" in value:
        return " ".join(statement_sentences(rotation.statement_of(value)))
    return draw_summary(value) if "groups" in value else " ".join([*seeding_words(value), *rematch_sentences(value)])


def count_keys(value: Any) -> str:
    """The number of keys in a list, since the keys themselves mean nothing to a reader."""
    return str(len(value) or "") if isinstance(value, list) else "" if value is None else str(value)


def format_moment(value: Any) -> str:
    at = parse_datetime(value) if isinstance(value, str) else None
    return date_format(localtime(at), "DATETIME_FORMAT") if isinstance(at, datetime) and at.tzinfo else str(value or "")


VALUES: dict[str, Callable[[Any], str]] = {
    "statement": describe_statement,
    **dict.fromkeys(("submission", "event", "states"), lambda value: ""),  # keys, which say nothing to anybody
    **dict.fromkeys(("ended", "left open", "entries", "decided"), count_keys),
    "at": format_moment,
    "right": choice_labels({"first": _("the first keying"), "second": _("the second keying")}),
    "state": choice_labels(
        {**dict(Game.State.choices), **dict(DealVersion.State.choices), **dict(Entry.State.choices)}
    ),
    "starts_at": format_moment,
    "seeding": lambda value: " ".join(seeding_words({"seeding": value})) if value else "",
    "format": choice_labels(dict(Event.Format.choices)),
    "sit_out_rule": choice_labels(dict(Event.SitOutRule.choices)),
    "missing_rule": choice_labels(dict(Event.SitOutRule.choices)),
    "removed": choice_labels(dict(Entry.Removed.choices)),
    "at_bell": choice_labels(dict(Event.AtBell.choices)),
    "cut_rule": choice_labels(dict(Stage.CutRule.choices)),
    "tie_breaks": choice_labels(TIE_BREAKS),
    "result_points": lambda value: (
        describe_result_points(ResultPoints.from_data(value)) if isinstance(value, Mapping) else ""
    ),
}
"""By the name under which a verb logs the value."""
