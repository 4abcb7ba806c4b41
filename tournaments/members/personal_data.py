"""All data about a person: the names that they are known by, and the file with everything about them."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Count, F, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Club, LogEntry, Member
from clubsite.names import NameReplacer, name_sort_key
from scoring.handicaps import comparison_key
from scoring.models import DealVersion, Game, HandicapEntry, HandicapStart
from scoring.pasted_names import name_key
from tournaments.engine.rounds import grouped
from tournaments.mail import subscribers_of
from tournaments.members.record import member_record
from tournaments.models import (
    Adjustment,
    CutLine,
    Draw,
    Entry,
    MoneyLine,
    NameAnswer,
    PublishedPrizes,
    PublishedStandings,
    SeasonMember,
    SeasonOpening,
    Seat,
    SignUp,
    SitOut,
    Wish,
    photos_with_member,
    rows_by_person,
)


def names_in_events(club: Club, members: Iterable[int]) -> tuple[set[str], set[str]]:
    """The names of these members on lists and in results, and those of everybody else. Two queries."""
    keys = set(members)
    names: set[str] = set()
    others: set[str] = set()
    for name, member in Entry.objects.filter(event__club=club).order_by().values_list("name", "member").distinct():
        (names if member in keys else others).add(name)
    for rows in PublishedStandings.objects.filter(event__club=club).values_list("rows", flat=True):
        for row in rows_by_person(rows):
            (names if row.get("member") in keys else others).add(row["name"])
    return names, others - names


VERSION = 1
OF_SEATS = "deal__game__group_game__group__seats__"


def all_names(member: Member) -> set[str]:
    """Every name that the person has had in the club, also merged and earlier ones."""
    merged = list(Member.every.filter(merged_into=member).values_list("pk", "name"))
    on_lists, _others = names_in_events(member.club, [member.pk, *(pk for pk, _name in merged)])
    since = {member.name, *(name for _pk, name in merged)}
    names = {*since, *on_lists, *_earlier_names(member, since)}
    answers = NameAnswer.objects.filter(club=member.club, same=True).values_list("name", "like")
    return names | {name for name, like in answers if like in names}


def _earlier_names(member: Member, names: set[str]) -> set[str]:
    """What these names were changed from. No two members ever share a name at the same time, so reading the log's
    changes from the newest back follows one person. One query."""
    current, earlier = set(names), set()
    changes = LogEntry.objects.filter(club=member.club, verb="member.change", old__has_key="name").order_by("-pk")
    for change in changes:
        old, new = (change.old or {})["name"], (change.new or {})["name"]
        if new in current:
            current.remove(new)
            current.add(old)
            earlier.add(old)
    return earlier


def export_personal_data(member: Member, *, by: Actor) -> dict[str, Any]:
    """Everything stored about a person, as plain JSON data. A constant number of queries."""
    with transaction.atomic():
        log(club=member.club.lock(), by=by, verb="member.export", subject=member)
    names = all_names(member)
    entries = list(
        Entry.objects.filter(member=member).select_related("event__season", "event__rules").order_by("event__starts_at")
    )
    return {
        "format": "nine-tables person",
        "version": VERSION,
        "made_at": _iso(timezone.now()),
        "club": {"name": member.club.name, "time_zone": member.club.time_zone},
        "about": _explanations(),
        "person": {
            "name": member.name,
            "names": sorted(names, key=name_sort_key),
            "still_plays": member.active,
            "stopped_at": member.inactive_since and _iso(member.inactive_since),
            "initials_only": member.initials_only,
            "email": member.email,
            "telephone": member.telephone,
            "note": member.note,
            "classes": member.classes,
        },
        "events": [_event(entry) for entry in entries],
        "results": _results(member, entries),
        "seats": _seats(member),
        "deals": _deals(member),
        "averages": _averages(member),
        "sit_outs": list(
            SitOut.objects.filter(entry__member=member, draw__state=Draw.State.PUBLISHED)
            .order_by("pk")
            .values(event=F("entry__event"), round=F("draw__round__number"))
        ),
        "stood_in": _stood_in(member, names),
        "sign_ups": [
            {
                "event": place.event.name,
                "name": str(place),
                "at": _iso(place.at),
                "cancelled": bool(place.cancelled_at),
            }
            for place in SignUp.objects.filter(event__club=member.club).select_related("event")
            if {name_key(name) for name in place.people} & {name_key(name) for name in names}
        ],
        "mail": [
            {
                "email": to.email,
                "results": to.results,
                "reminders": to.reminders,
                "event": to.sign_up and to.sign_up.event.name,
                "agreed_at": to.agreed_at and _iso(to.agreed_at),
            }
            for to in subscribers_of(member, names)
        ],
        "photos": [
            {"event": photo.event_id, "cards": photo.found, "at": _iso(photo.at)}
            for photo in photos_with_member(member, names).annotate(found=Count("cards")).order_by("pk")
        ],
        "seasons": [
            {"season": row.season.name, "division": row.division, "team": row.team}
            for row in SeasonMember.objects.filter(member=member).select_related("season").order_by("pk")
        ],
        "season_openings": [
            {
                "season": row.season.name,
                "nights": row.nights,
                "points": row.points,
                "taken_back": bool(row.taken_back_at),
            }
            for row in SeasonOpening.objects.filter(member=member).select_related("season").order_by("pk")
        ],
        "cuts": list(
            CutLine.objects.filter(entry__member=member)
            .order_by("pk")
            .values("place", "advances", "reason", event=F("entry__event"))
        ),
        "adjustments": [
            {
                "event": adjustment.entry.event_id,
                "points": adjustment.points,
                "reason": adjustment.reason,
                "withdrawn": bool(adjustment.withdrawn_at),
            }
            for adjustment in Adjustment.objects.filter(entry__member=member).select_related("entry").order_by("pk")
        ],
        "wishes": [
            {
                "event": wish.entry.event_id,
                "wish": wish.kind,
                "names": [entry.name for entry in (wish.entry, wish.other) if entry],
                "table": wish.table,
            }
            for wish in Wish.objects.filter(Q(entry__member=member) | Q(other__member=member))
            .select_related("entry", "other")
            .order_by("pk")
        ],
        "handicaps": _handicaps(member, names),
        "prizes": _prizes(entries),
        "money": [
            {
                "event": line.event_id,
                "for": line.kind,
                "amount": line.amount,
                "words": line.words,
                "at": _iso(line.at),
            }
            for line in MoneyLine.objects.filter(Q(entry__member=member) | Q(member=member)).order_by("pk")
        ],
        "log": _log(member, names),
    }


def _explanations() -> dict[str, str]:
    return {
        "person": _("The person's names and contact details. Only directors of the club see the contact details."),
        "events": _("The events the person is entered in, with a number that the other parts refer to."),
        "results": _("Places and points as published, each version."),
        "seats": _("Where the person sat, with whom and against whom, and which games were played."),
        "deals": _(
            "Each recorded deal of the person's sides, with the figures on the card. `counts` says whether it counts "
            "in its game, `bid` whether the side held the bid, `set` whether that bid failed."
        ),
        "averages": _("The club's points and deals of all sides, by game, to compare points per deal with."),
        "sit_outs": _("Rounds without a seat."),
        "stood_in": _("Seats where the person played for somebody else."),
        "sign_ups": _("The events for which somebody signed the person up, until some days after the event."),
        "mail": _("What is sent by e-mail, to which address, and when the person agreed."),
        "photos": _("Photos of cards of the person's events, until some days after the result."),
        "seasons": _("Division and team."),
        "season_openings": _("Nights and points that the person brought into a season."),
        "cuts": _("Who went on, and why."),
        "adjustments": _("Points given or taken by a director, with the reason."),
        "wishes": _("Wishes for the draws."),
        "handicaps": _("Handicaps between two players, by the names on the cards."),
        "prizes": _("Prizes won as published, each version, and the money each winner of the prize got."),
        "money": _(
            "Fees and yearly dues that the person paid and prizes paid out to them; amounts in the currency's smallest "
            "unit."
        ),
        "log": _("What the club's log says with the person's name in it. Other people's names are left out."),
    }


def _event(entry: Entry) -> dict[str, Any]:
    event = entry.event
    return {
        "event": event.pk,
        "name": event.name,
        "starts_at": _iso(event.starts_at),
        "game": event.rules.title,
        "game_key": event.rules.slug,
        "season": event.season.name if event.season else None,
        "state": event.state,
        "name_on_list": entry.name,
        "number": entry.number,
        "entry_state": entry.state,
        "may_go_on": entry.eligible,
        "note": entry.note,
        "side": entry.team,
        "plays_for": entry.plays_for,
        "disqualified": entry.disqualified,
    }


def _prizes(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    keys = {entry.pk for entry in entries}
    events = {entry.event_id for entry in entries}
    versions = PublishedPrizes.objects.filter(event__in=events).order_by("pk")
    return [
        {
            "event": published.event_id,
            "version": published.number,
            "state": published.state,
            "prizes": [
                {"kind": prize["kind"], "place": prize["place"], "what": prize["what"], "class": prize.get("group", "")}
                for prize in line["prizes"]
            ],
            "each": line["each"],
            "currency": published.currency,
        }
        for published in versions
        for line in published.lines
        if keys & set(line["winners"])
    ]


def _results(member: Member, entries: Sequence[Entry]) -> list[dict[str, Any]]:
    keys = {entry.pk for entry in entries}
    published = PublishedStandings.objects.filter(event__in={entry.event_id for entry in entries}).order_by("pk")
    return [
        {"event": event, "stage": stage, "version": number, "final": final, "at": _iso(at), "of": len(rows)}
        | {name: row.get(name) for name in ("name", "place", "shared", "points", "games_won", "sets")}
        for event, stage, number, final, at, rows in published.values_list(
            "event_id", "stage__number", "number", "final", "at", "rows"
        )
        for row in rows_by_person(rows)
        if row["entry"] in keys
    ]


def _seats(member: Member) -> list[dict[str, Any]]:
    """Three queries."""
    seats = list(
        Seat.objects.filter(entry__member=member, draw__state=Draw.State.PUBLISHED)
        .order_by("pk")
        .values_list("group", "entry__event_id", "draw__round__number", "group__table__number", "side", "player")
    )
    groups = {group for group, *_rest in seats}
    seats_there = Seat.objects.filter(group__in=groups).order_by("group", "side", "position")
    people = seats_there.values_list("group", "side", "entry__name", "entry__member")
    around = grouped((group, (side, name, pk)) for group, side, name, pk in people)
    counting = Game.objects.filter(group_game__group__in=groups).exclude(state=Game.State.NOT_PLAYED)
    games = grouped(counting.order_by("group_game__number").values_list("group_game__group", "pk"))
    return [
        {
            "event": event,
            "round": number,
            "table": table,
            "side": side,
            "played_by": player,
            "partners": [name for at, name, pk in around[group] if at == side and pk != member.pk],
            "opponents": [name for at, name, _pk in around[group] if at != side],
            "games": games[group],
        }
        for group, event, number, table, side, player in seats
    ]


def _deals(member: Member) -> list[dict[str, Any]]:
    """The current version of each deal of the person's sides. Two queries."""
    rows = (
        DealVersion.objects.filter(
            **{
                "current": True,
                "deal__game__group_game__group__table__draw__state": Draw.State.PUBLISHED,
                f"{OF_SEATS}entry__member": member,
                "points__side": F(f"{OF_SEATS}side"),
            }
        )
        .order_by("deal__game", "deal__number")
        .values_list(
            f"{OF_SEATS}entry__event_id",
            "deal__game",
            "deal__game__rules",
            "deal__game__state",
            "deal__game__deals_played",
            "deal__number",
            f"{OF_SEATS}side",
            "points__points",
            "points__was_set",
            "state",
            "at",
            "facts",
        )
    )
    held = {rules.pk: rules.bid_held for rules in member.club.house_rules.all()}
    counted: dict[int, int] = defaultdict(int)
    deals = []
    for event, game, rules, state, played, number, side, points, was_set, deal_state, at, facts in rows:
        void = deal_state == DealVersion.State.VOID or state == Game.State.NOT_PLAYED
        counted[game] += not void
        deals.append(
            {
                "event": event,
                "game": game,
                "deal": number,
                "side": side,
                "points": points,
                "bid": bool(held[rules]) and facts.get(held[rules]) == side,
                "set": was_set,
                "counts": not void and counted[game] <= played,
                "state": deal_state,
                "recorded_at": _iso(at),
                "card": facts,
            }
        )
    return deals


def _averages(member: Member) -> list[dict[str, Any]]:
    return [
        {
            "game": average.rules.title,
            "game_key": average.rules.slug,
            "own_points": average.total,
            "own_deals": len(average.deals),
            "club_points_a_deal": None if average.club is None else str(average.club),
        }
        for average in member_record(member).averages
    ]


def _stood_in(member: Member, names: set[str]) -> list[dict[str, Any]]:
    seats = Seat.objects.filter(draw__round__stage__event__club=member.club).exclude(player="")
    keys = {name_key(name) for name in names}
    return [
        {"event": event, "round": number, "table": table}
        for event, number, table, player in seats.order_by("pk").values_list(
            "entry__event_id", "draw__round__number", "group__table__number", "player"
        )
        if name_key(player) in keys
    ]


def _handicaps(member: Member, names: set[str]) -> list[dict[str, Any]]:
    keys = {comparison_key(name) for name in names}
    involved = Q(first__in=keys) | Q(second__in=keys)
    pairs = [
        {"players": [start.first, start.second], "before": list(start.points), "reason": start.reason}
        for start in HandicapStart.objects.filter(involved, club=member.club)
    ]
    pairs += [
        {
            "players": [entry.first, entry.second],
            "game": entry.game_id,
            "before": list(entry.before),
            "after": list(entry.after),
            "counts": entry.current,
        }
        for entry in HandicapEntry.objects.filter(involved, club=member.club)
    ]
    return pairs


def _log(member: Member, names: set[str]) -> list[dict[str, Any]]:
    """When and what the log says with the person's name in it, without what it says of others."""
    search = NameReplacer(dict.fromkeys(names, ""))
    log_entries = LogEntry.objects.filter(club=member.club).order_by("pk")
    return [
        {"at": _iso(at), "what": verb}
        for at, verb, subject, old, new in log_entries.values_list("at", "verb", "subject", "old", "new").iterator()
        if search.text(subject) != subject or search.data([old, new]) != [old, new]
    ]


def _iso(at: datetime) -> str:
    return at.isoformat()
