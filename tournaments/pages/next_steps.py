"""What to do next: a list, the most urgent first, with links to the pages where you do it.

A rule is a generator of steps. Rules of tables read what was fetched before, without queries. Rules of the event may
make queries, a constant number, and are used on the event's desk but not on the overview. To add a rule, write a
generator and put it into `TABLE_RULES` or `EVENT_RULES`, whose order decides between equally urgent steps."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from urllib.parse import urlencode

from django.conf import settings
from django.db.models import IntegerChoices
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.timezone import localtime
from django.utils.translation import gettext as _, gettext_lazy, ngettext

from clubsite.accounts.models import Club, Member
from clubsite.accounts.starting import STEPS, is_demo
from clubsite.previews import fingerprint
from scoring.models import HouseRules
from tournaments.draws.by_format import fewest_people, misplaced_message, next_round_refusal, refusal_message
from tournaments.draws.changes import changed_groups
from tournaments.draws.drafts import next_draft
from tournaments.draws.making import why_stale
from tournaments.draws.round_views import RoundView
from tournaments.engine.formats import FormatRefused
from tournaments.events.state import following_bracket, is_drawn
from tournaments.keying.second import open_differences
from tournaments.models import Entry, Event, Letter, joint_name
from tournaments.pages.at_tables import EventTables, TableNow, format_duration
from tournaments.prizes.actions import is_out_of_date, prize_plan, propose_prizes, published_prizes
from tournaments.rounds.disputes import Dispute
from tournaments.rounds.publishing import open_games_heading, unfinished_games, where_played
from tournaments.standings.groups import bracket_is_outdated
from tournaments.standings.results import unchanged_result, valid_result
from tournaments.standings.standings import standings_of
from tournaments.table_links.links import is_guessed


class Urgency(IntegerChoices):
    NOW = 0, gettext_lazy("Now")  # something is wrong and getting worse
    SOON = 1, gettext_lazy("Soon")  # look at it before the next step
    NEXT = 2, gettext_lazy("Next")  # the next step of the event itself
    KNOW = 3, gettext_lazy("Good to know")  # no hurry


@dataclass(frozen=True, slots=True)
class Action:
    """A link, or with `post` a button that sends these fields."""

    words: str
    address: str
    post: Mapping[str, str] | None = None
    director: bool = True  # whether it is for directors only


@dataclass(frozen=True, slots=True)
class NextStep:
    urgency: Urgency
    title: str
    words: str = ""
    actions: tuple[Action, ...] = ()

    @property
    def for_directors(self) -> bool:
        """Whether there are actions, all for directors only."""
        return bool(self.actions) and all(action.director for action in self.actions)


def link(event: Event, name: str, *args: object, anchor: str = "") -> str:
    return reverse(name, args=[event.club.slug, event.slug, *args]) + (f"#{anchor}" if anchor else "")


def with_back(address: str, event: Event) -> str:
    return f"{address}?{urlencode({'back': event.get_desk_url()})}"


START_BUTTONS: dict[str, Promise] = {
    "club": gettext_lazy("Name the club"),
    "director": gettext_lazy("Choose a password of your own"),
    "rules": gettext_lazy("Choose the game"),
    "members": gettext_lazy("Add members"),
    "night": gettext_lazy("Plan the first night"),
}
START_PAGES = {"rules": "start_rules", "members": "start_members", "night": "start_night", "club": "club_settings"}


def start_steps_done(club: Club) -> set[str]:
    """The steps whose result exists: rules, members, an event. Three queries."""
    exists = {
        "rules": HouseRules.objects.filter(club=club).exists(),
        "members": Member.objects.filter(club=club).exists(),
        "night": Event.objects.filter(club=club).exists(),
    }
    return {step for step, done in exists.items() if done}


def unfinished_start(club: Club) -> Iterator[NextStep]:
    """Steps of the guided start that were skipped, until a director hides them."""
    if not club.start_left:
        return
    done = start_steps_done(club)
    if left := [step for step in STEPS if step in club.start_left and step not in done]:
        pages = {step: reverse(name, args=[club.slug]) for step, name in START_PAGES.items()}
        pages["director"] = reverse("password")
        actions = [Action(str(START_BUTTONS[step]), pages[step]) for step in left]
        actions.append(Action(_("Hide this"), reverse("start_away", args=[club.slug]), post={}))
        words = _("You can do each step at any time, here or on its own page.")
        yield NextStep(Urgency.KNOW, _("The club isn't fully set up"), words, tuple(actions))


def demo_club(club: Club) -> Iterator[NextStep]:
    if is_demo(club):
        words = _("Its people are invented. Try anything here; you can remove it when you have seen enough.")
        remove = Action(_("Remove the demo"), reverse("demo_remove", args=[club.slug]))
        actions = (Action(_("Set up my club"), reverse("start")), remove)
        yield NextStep(Urgency.KNOW, _("This club is part of the demo"), words, actions)


def unsent_mail(club: Club) -> Iterator[NextStep]:
    held = Letter.objects.filter(subscriber__club=club, state=Letter.State.HELD).count() if settings.MAIL_IS_SET else 0
    if held:
        title = ngettext("%(n)d e-mail couldn't be sent", "%(n)d e-mails couldn't be sent", held) % {"n": held}
        yield NextStep(Urgency.KNOW, title, "", (Action(_("E-mail"), reverse("mail_desk", args=[club.slug])),))


LINKED = 6  # tables or disputes of one kind with links; the others follow once these are settled


def disputed_deals(now: EventTables) -> Iterator[NextStep]:
    """In any published round."""
    for dispute in now.disputes[:LINKED]:
        at = date_format(localtime(dispute.at), "TIME_FORMAT")
        who = _("Marked by table %(table)s at %(at)s.") if dispute.by_link else _("Marked by %(who)s at %(at)s.")
        who %= {"table": dispute.table, "who": dispute.by, "at": at}
        action = Action(_("To the deal"), with_back(dispute.address, now.event), director=False)
        reason = _("“%(reason)s”") % {"reason": dispute.reason} if dispute.reason else ""
        yield NextStep(Urgency.NOW, dispute.title, f"{reason} {who}".strip(), (action,))


def silent_tables(now: EventTables) -> Iterator[NextStep]:
    tables = [table for table in now.tables if table.label in now.yardsticks and table.state != "disputed"]
    if not tables:
        return
    title = ngettext("Table %(tables)s is silent", "Tables %(tables)s are silent", len(tables))
    sentences = []
    for table in tables[:LINKED]:
        yardstick = now.yardsticks[table.label]
        words = _("Table %(table)s: no deal for %(time)s; in this round there was usually one every %(usual)s.")
        if yardstick.of_others:
            words = _("Table %(table)s: no deal for %(time)s, the others for %(usual)s.")
        usual = format_duration(yardstick.minutes)
        sentences.append(words % {"table": table.label, "time": table.since, "usual": usual})
    title %= {"tables": _table_labels(tables)}
    yield NextStep(Urgency.SOON, title, " ".join(sentences), _card_actions(now.event, tables))


def repeated_deals(now: EventTables) -> Iterator[NextStep]:
    """Consecutive deals with the same figures that aren't agreed on: one may have been entered twice."""
    least = now.event.rules.same_in_a_row if now.tables else 0
    for table in now.tables:
        if pair := table.repeated_deals(least):
            words = {"table": table.label, "one": pair[0].number, "two": pair[1].number, "game": pair[1].game_number}
            title = _("Table %(table)s: deals %(one)d and %(two)d have the same figures") % words
            if len(table.view.games) > 1:
                title = _("Table %(table)s: deals %(one)d and %(two)d of game %(game)d have the same figures") % words
            about = _("If one was entered twice, make it void; if both are right, mark the second as agreed.")
            deal = reverse("deal", args=[now.event.club.slug, pair[1].pk])
            action = Action(_("To deal %(two)d") % words, with_back(deal, now.event), director=False)
            yield NextStep(Urgency.SOON, title, about, (action,))


def cards_not_agreed(now: EventTables) -> Iterator[NextStep]:
    """Full cards with deals that the sides haven't agreed on."""
    if tables := [table for table in now.tables if table.state == "not-agreed"]:
        title = ngettext(
            "The card of table %(tables)s isn't agreed", "The cards of tables %(tables)s aren't agreed", len(tables)
        ) % {"tables": _table_labels(tables)}
        left = [
            ngettext("Table %(table)s: deal %(deals)s.", "Table %(table)s: deals %(deals)s.", len(table.open_deals))
            % {"table": table.label, "deals": table.deal_numbers(table.open_deals)}
            for table in tables[:LINKED]
        ]
        words = " ".join([_("Both sides need to check the card and agree."), *left])
        yield NextStep(Urgency.SOON, title, words, _card_actions(now.event, tables))


def time_over(now: EventTables) -> Iterator[NextStep]:
    playing = [table for table in now.tables if table.view.state != "over"]
    if now.clock and now.clock.state == "over" and playing:
        title = ngettext(
            "The bell has rung: table %(tables)s still plays",
            "The bell has rung: tables %(tables)s still play",
            len(playing),
        ) % {"tables": _table_labels(playing)}
        desk, first = now.event.get_desk_url(), playing[0].label
        actions = (
            Action(_("To the clock"), f"{desk}#clock"),
            Action(_("To table %(table)s") % {"table": first}, f"{desk}#table-{first}", director=False),
        )
        yield NextStep(Urgency.SOON, title, now.event.get_at_bell_display(), actions)


def vacant_seats(now: EventTables) -> Iterator[NextStep]:
    """Somebody left a table in play, and nobody plays for them. A competition's desk lists its vacant seats itself."""
    for table in now.tables if now.event.by_rounds else ():
        seats = table.view.group.seats.all()
        left = [seat.entry.name for seat in seats if seat.entry.state == Entry.State.WITHDRAWN and not seat.player]
        if left and table.view.state != "over" and not any(seat.entry.removed for seat in seats):
            words = {"names": ", ".join(left), "table": table.label}
            title = ngettext(
                "%(names)s has left table %(table)s: who plays instead?",
                "%(names)s have left table %(table)s: who plays instead?",
                len(left),
            )
            address = link(now.event, "seat_changes", table.view.group.pk, anchor="replace")
            actions = [Action(_("Change the seats of table %(table)s") % words, address)]
            if now.event.fixed_sides:
                walkover = link(now.event, "walkover", table.view.group.pk)
                actions.append(Action(_("Walkover at table %(table)s") % words, walkover))
            yield NextStep(Urgency.NOW, title % words, "", tuple(actions))


def removed_sides(now: EventTables) -> Iterator[NextStep]:
    """Matches in play whose side has left the event for good. Those that hadn't begun were decided when they left."""
    for table in now.tables:
        left = [seat.entry for seat in table.view.group.seats.all() if seat.entry.removed]
        if not left or table.view.state == "over" or table.game is None:
            continue
        words = {"names": joint_name(left), "table": table.label}
        end = reverse("game_end", args=[now.event.club.slug, table.game])
        actions = [Action(_("End the game of table %(table)s") % words, with_back(end, now.event))]
        about = _("None of their games counts. End this one.")
        if not table.view.annulled:
            about = _("End the game as it is, or give the others a walkover.")
            walkover = link(now.event, "walkover", table.view.group.pk)
            actions.append(Action(_("Walkover at table %(table)s") % words, walkover))
        title = _("Table %(table)s is still open, and %(names)s have left for good") % words
        yield NextStep(Urgency.NOW, title, about, tuple(actions))


def late_arrivals(now: EventTables) -> Iterator[NextStep]:
    """People who came after the round was drawn. They can take somebody's place, or be drawn in while no deal is
    recorded."""
    if not now.late or not now.round:
        return
    event, round_ = now.event, now.round
    words = {"names": ", ".join(now.late), "n": round_.number}
    title = ngettext("%(names)s has no seat in round %(n)d", "%(names)s have no seat in round %(n)d", len(now.late))
    title %= words
    attendance = Action(_("Who is here"), link(event, "here"), director=False)
    seats = []
    least = 3 if event.traits.searched else event.shape.players
    if event.traits.late_tables and len(now.late) + len(round_.sit_outs) >= least:
        more_table = link(event, "seat_changes", now.tables[0].view.group.pk, anchor="more-table")
        seats.append(Action(_("Add a table for them"), more_table))
    if playing := [table for table in now.tables if table.view.state != "over"]:
        table = min(playing, key=lambda table: len(table.deals))  # where taking somebody's place disturbs least
        replace = link(event, "seat_changes", table.view.group.pk, anchor="replace")
        seats.append(Action(_("Take somebody's place at table %(table)s") % {"table": table.label}, replace))
    if now.deals:
        yield NextStep(Urgency.KNOW, title, _("They get a seat in the next draw."), (attendance, *seats))
    else:
        about = _("No deal is recorded yet: you can take the round back and draw it again with them.")
        back = Action(_("Take round %(n)d back") % words, link(event, "round_step", round_.number, anchor="take-back"))
        first = [back]
        if event.makes_sides:
            about = _(
                "No deal is recorded yet: you can say who plays with whom, then take the round back and draw it again "
                "with them."
            )
            first = [Action(_("Who plays with whom"), link(event, "partners")), back]
        yield NextStep(Urgency.SOON, title, about, (*first, *seats, attendance))


def table_to_fill(now: EventTables) -> Iterator[NextStep]:
    """Open play: a table has finished, and enough people are waiting to fill it at once."""
    if not now.event.traits.refills or not now.round or now.round.complete:
        return
    over = [table for table in now.tables if table.view.state == "over"]
    free = len(over) - len(now.round.draw.statement.get("late_tables", ()))
    waiting = len(now.round.sit_outs) + len(now.late)
    if free > 0 and waiting >= now.event.shape.players:
        title = ngettext("%(free)d table is free, %(n)d wait", "%(free)d tables are free, %(n)d wait", free)
        fill = Action(_("Fill it"), link(now.event, "seat_changes", over[0].view.group.pk, anchor="more-table"))
        about = _("The people who have waited longest are ticked. Their table gets the next number.")
        yield NextStep(Urgency.NEXT, title % {"free": free, "n": waiting}, about, (fill,))


def all_tables_finished(now: EventTables) -> Iterator[NextStep]:
    """For the overview, where the next step of the event isn't known."""
    if now.round and now.round.complete:
        event = now.event
        title = _("All tables have finished: %(round)s") % {"round": now.round.draw.round.name}
        actions = (Action(_("Go to its desk"), event.get_desk_url(), director=False),)
        yield NextStep(Urgency.NEXT, title, "", actions)


def _table_labels(tables: Sequence[TableNow]) -> str:
    return ", ".join(table.label for table in tables)


def _card_actions(event: Event, tables: Sequence[TableNow]) -> tuple[Action, ...]:
    return tuple(
        Action(
            _("Card of table %(table)s") % {"table": table.label},
            with_back(reverse("card", args=[event.club.slug, table.game]), event),
            director=False,
        )
        for table in tables[:LINKED]
        if table.game
    )


SAME_HOUR = timedelta(minutes=59)
MOST_BUTTONS = 4  # for cards or events in one step


def event_called_off(event: Event) -> NextStep:
    action = Action(_("Reinstate this event"), link(event, "event_call_off"))
    return NextStep(Urgency.KNOW, _("This event is called off"), event.called_off, (action,))


def newer_rules(event: Event) -> Iterator[NextStep]:
    """House rules with a newer version, if the event hasn't begun. One query, two if there is one."""
    if event.state == Event.State.FINISHED:
        return
    newer = HouseRules.objects.filter(club=event.club_id, slug=event.rules.slug, version__gt=event.rules.version)
    last = newer.order_by("-version").values_list("version", flat=True).first()
    if last is None or is_drawn(event):
        return
    versions = {"own": event.rules.version, "last": last}
    compare = reverse("rules_compare", args=[event.club.slug, event.rules.slug])
    post = {"step": "newest-rules", "version": str(last)}
    play = Action(_("Play by version %(last)d") % versions, link(event, "event_change"), post=post)
    see = Action(_("See what changed"), f"{compare}?old={event.rules.version}&new={last}", director=False)
    title = _("The house rules have a newer version: %(last)d") % versions
    words = _("This event was planned with version %(own)d, and uses it unless you change that.") % versions
    yield NextStep(Urgency.SOON, title, words, (play, see))


def keying_differences(event: Event) -> Iterator[NextStep]:
    """Deals keyed twice with different figures. Four queries, or one if there are none."""
    if differences := open_differences(event):
        n, tables = len(differences), ", ".join(dict.fromkeys(difference.table for difference in differences))
        title = ngettext(
            "%(n)d deal was keyed twice with other figures", "%(n)d deals were keyed twice with other figures", n
        )
        words = ngettext("Check the card of table %(tables)s.", "Check the cards of tables %(tables)s.", n)
        action = Action(_("Compare the figures"), link(event, "differences"))
        yield NextStep(Urgency.SOON, title % {"n": n}, words % {"tables": tables}, (action,))


def guessed_codes(event: Event) -> Iterator[NextStep]:
    """Many typed codes that no table has. One query."""
    if is_guessed(event):
        words = _("Links in use go on working. If you suspect that somebody knows one, replace it.")
        action = Action(_("To the table links"), link(event, "table_links"))
        yield NextStep(Urgency.SOON, _("Somebody is guessing at the codes of tables"), words, (action,))


def games_left_open(event: Event) -> Iterator[NextStep]:
    """Open games of closed rounds or stages: left open then, or opened again by a correction. One query."""
    games = unfinished_games(event)
    if not games:
        return
    words = _("Before the result is published, finish the cards or end the games with a reason.")
    if event.state == Event.State.FINISHED:
        reopened = _("Reopened after the result was published.")
        words = f"{reopened} {_('Finish the card, or end the game with a reason.')}"
    cards = (
        Action(where_played(row), with_back(row.game.get_absolute_url(), event), director=False)
        for row in games[:MOST_BUTTONS]
    )
    actions = (Action(_("End all open games as they are"), link(event, "open_games")), *cards)
    yield NextStep(Urgency.SOON, open_games_heading(event, len(games)), words, actions)


def cards_to_print(event: Event) -> Iterator[NextStep]:
    """Tables whose seats changed after their round was published, if nothing is recorded on their cards yet. Three
    queries, or one if no seats changed."""
    groups = changed_groups(event) if event.state == Event.State.RUNNING else []
    if not groups:
        return
    title = ngettext(
        "Print the card of table %(tables)s again", "Print the cards of tables %(tables)s again", len(groups)
    ) % {"tables": ", ".join(group.label_in(event) for group in groups)}
    words = _("Seats have changed since the draw was published. The old card has other names on it.")
    actions = tuple(
        Action(
            _("Card of table %(table)s") % {"table": group.label_in(event)},
            f"{link(event, 'document', 'cards')}?draw={group.table.draw_id}&group={group.pk}",
            director=False,
        )
        for group in groups[:MOST_BUTTONS]
    )
    yield NextStep(Urgency.SOON, title, words, actions)


def double_bookings(event: Event) -> Iterator[NextStep]:
    """Members who are in another event of the club at the same hour. One query."""
    if event.state == Event.State.FINISHED:
        return
    playing = Entry.objects.exclude(state=Entry.State.WITHDRAWN).exclude(member=None)
    elsewhere = playing.filter(
        event__club=event.club_id,
        event__called_off="",
        event__starts_at__range=(event.starts_at - SAME_HOUR, event.starts_at + SAME_HOUR),
        member__in=playing.filter(event=event).values("member"),
    )
    elsewhere = elsewhere.exclude(event=event.pk).exclude(event__state=Event.State.FINISHED)
    if entries := list(elsewhere.select_related("event").order_by("event__starts_at", "number")):
        people = len({entry.member_id for entry in entries})
        title = ngettext(
            "%(n)d person is in another event at the same hour",
            "%(n)d people are in another event at the same hour",
            people,
        ) % {"n": people}
        words = "; ".join(
            f"{entry}: {entry.event}, {date_format(localtime(entry.event.starts_at), 'SHORT_DATETIME_FORMAT')}"
            for entry in entries[:MOST_BUTTONS]
        )
        events = list({entry.event_id: entry.event for entry in entries}.values())
        for other in events:
            other.club = event.club
        actions = tuple(Action(str(other), other.get_desk_url(), director=False) for other in events[:MOST_BUTTONS])
        yield NextStep(Urgency.KNOW, title, words, actions)


def prizes_to_publish(event: Event) -> Iterator[NextStep]:
    """Planned prizes that aren't published, or published ones that are out of date. One query without prizes, else five
    at most."""
    plan = prize_plan(event)
    if plan is None or not plan.prizes:
        return
    published = published_prizes(event)
    page = link(event, "prizes")
    action = Action(_("Check the prizes"), page)
    if published is None:
        if event.state == Event.State.FINISHED:
            words = _("The result is published. Check who wins, then publish the prizes.")
            yield NextStep(Urgency.SOON, _("Publish the prizes"), words, (Action(_("See who wins"), page),))
    elif (now := propose_prizes(event, plan)) is None:
        words = _("The result they are based on was taken back. Publish it again first.")
        yield NextStep(Urgency.KNOW, _("Nobody sees the prizes now"), words, (action,))
    elif is_out_of_date(published, now):
        title = _("The published prizes are out of date")
        words = _(
            "The result or the list of prizes has changed since version %(n)d. Publish the next, or take it back."
        )
        yield NextStep(Urgency.NOW, title, words % {"n": published.number}, (action,))


class NightProgress:
    """How far an event by rounds is. `current` is its latest published round.

    `next` is a code: start, draft, stale, playing, close-round, next-round, all-played, corrected, finished."""

    def __init__(self, event: Event, current: RoundView | None, *, disputes: Sequence[Dispute] = ()) -> None:
        self.event, self.round = event, current
        self.number = (current.number if current else 0) + 1
        self.here = event.entries.filter(state=Entry.State.HERE).count()
        self.least = fewest_people(event)  # people that a draw needs
        self.disputed = any(current is not None and dispute.round == current.number for dispute in disputes)
        self.misplaced = misplaced_message(event)  # why a published round no longer follows from the results before it
        self.result = valid_result(event)
        self.ended: FormatRefused | None = None  # why there is no further round
        draft = next_draft(event)
        self.stale = why_stale(draft) if draft else ""  # why the draft can't be published
        if event.state == Event.State.FINISHED:
            same = self.result is None or unchanged_result(event, standings_of(self.result.stage))
            self.next = "finished" if same else "corrected"
        elif current and not current.draw.round.closed:
            self.next = "close-round" if current.complete else "playing"
        elif draft:
            self.next = "stale" if self.stale else "draft"
        elif current:
            self.ended = next_round_refusal(event)
            self.next = "all-played" if self.ended else "next-round"
        else:
            self.next = "start"

    def tasks(self) -> list[NextStep]:
        return [*misplaced_round(self), night_step(self)]


def misplaced_round(night: NightProgress) -> Iterator[NextStep]:
    """A correction changed who should play in a published round."""
    if night.misplaced:
        title = _("A result was changed after the next round was drawn from it")
        number = night.round.number if night.round else 1
        action = Action(_("To round %(n)d") % {"n": number}, link(night.event, "round_step", number), director=False)
        yield NextStep(Urgency.NOW, title, night.misplaced, (action,))


def night_step(night: NightProgress) -> NextStep:
    event, current, n, last = night.event, night.round, {"n": night.number}, {"n": night.number - 1}
    draw = link(event, "round_draw")
    attendance = Action(_("Who is here"), link(event, "here"), director=False)
    people = ngettext("%(n)d person is marked as here.", "%(n)d people are marked as here.", night.here)
    people %= {"n": night.here}
    match night.next:
        case "start":
            title, actions = _("Mark who is here"), [attendance]
            if event.makes_sides:
                actions.append(Action(_("Who plays with whom"), link(event, "partners")))
            if night.here < night.least:
                hint = _("A draw needs %(least)d.") % {"least": night.least}
            else:
                actions.append(Action(_("Draw round 1"), draw))
                hint = _("When everybody is on the list, draw the first round.")
                if event.makes_sides:
                    hint = _("When everybody is on the list, say who plays with whom, then draw the first round.")
            words = f"{people} {hint}"
        case "draft":
            title, words = _("Check the draw of round %(n)d, then publish it") % n, _("Nobody sees it until then.")
            actions = [Action(_("Check the draw"), draw)]
        case "stale":
            title, words = _("Make the draw of round %(n)d again") % n, night.stale
            actions = [Action(_("To the draw"), draw)]
        case "playing":
            title, tables = _("Round %(n)d is being played") % last, len(current.groups) if current else 0
            finished = ngettext(
                "%(done)d of %(total)d table has finished.", "%(done)d of %(total)d tables have finished.", tables
            ) % {"done": current.finished if current else 0, "total": tables}
            words = f"{finished} {_('Enter the cards as they come in.')}"
            actions = [
                Action(_("To the cards"), f"{event.get_desk_url()}#tables", director=False),
                Action(_("Close the round early"), link(event, "round_step", last["n"], anchor="close")),
            ]
        case "close-round":
            title = _("Close round %(n)d") % last
            words = _("All tables have finished. You can reopen it until the next round is published.")
            page = Action(title, link(event, "round_step", last["n"], anchor="close"))
            at_once = Action(title, link(event, "round_step", last["n"]), post={"step": "close", "games": "open"})
            actions = [page if night.disputed else at_once]
        case "all-played":
            title, actions = _("All rounds are played"), [Action(_("Close the night"), link(event, "night_close"))]
            words = _("Check the standings, then close the night. They become its result.")
            if event.traits.in_groups:
                title = _("All rounds of the groups are played")
                actions = [replace(actions[0], words=_("Close the groups"))]
                words = _("Check the standings, then close the groups. After that, make the knock-out.")
            if night.ended and night.ended.code != "format.over":
                title, words = _("No further round is possible"), refusal_message(night.ended)
                actions.append(attendance)
        case "next-round":
            next_draw = Action(_("Draw round %(n)d") % n, draw)
            close = Action(_("Close the night"), link(event, "night_close"))
            if event.traits.searched and current and not current.draw.ahead:
                title, words = _("Close the night, or draw round %(n)d") % n, _("All planned rounds are played.")
                actions = [close, next_draw, attendance]
            else:
                title = _("Draw round %(n)d, or close the night") % n
                words = f"{people} {_('First mark who has come or gone.')}"
                actions = [next_draw, attendance, close]
        case "corrected":
            title = _("Publish the corrected result")
            actions = [Action(_("See what changes"), link(event, "night_close"))]
            words = _(
                "A card was corrected since version %(n)d was published. Until you publish the next version, the pages "
                "and the season show version %(n)d."
            ) % {"n": night.result.number if night.result else 1}
        case _finished:
            season, title = event.season, _("The night is closed")
            words = _("Its result counts in %(season)s.") if season else _("It belongs to no season.")
            words %= {"season": season}
            actions = []
            if event.traits.in_groups:
                words = _("The best of each group play a knock-out of their own, which decides the event.")
                bracket = following_bracket(event)
                to = Action(_("To the knock-out"), bracket.get_desk_url(), director=False) if bracket else None
                make = Action(_("Make the knock-out"), link(event, "night_close"), post={"step": "bracket"})
                actions.append(to or make)
                if bracket and bracket_is_outdated(event, bracket):
                    words = _(
                        "The result has changed since the knock-out was made. Make it again; if it has begun, first "
                        "take its draw back."
                    )
                    actions.append(make)
            actions += [Action(_("Print the result"), link(event, "print", anchor="results"), director=False)]
            if season:
                actions.append(Action(_("Season table"), season.get_absolute_url(), director=False))
            actions.append(Action(_("Reopen the night"), link(event, "night_close")))
    return NextStep(Urgency.NEXT, title, words, tuple(actions))


TABLE_RULES = (
    disputed_deals,
    vacant_seats,
    removed_sides,
    time_over,
    silent_tables,
    repeated_deals,
    cards_not_agreed,
    late_arrivals,
    table_to_fill,
)
EVENT_RULES: tuple[Callable[[Event], Iterable[NextStep]], ...] = (
    newer_rules,
    keying_differences,
    guessed_codes,
    games_left_open,
    cards_to_print,
    double_bookings,
    prizes_to_publish,
)


def steps_fingerprint(tasks: Sequence[NextStep], now: EventTables) -> str:
    tables = [(table.label, table.state, table.since, len(table.deals), table.view.rows) for table in now.tables]
    return fingerprint((tasks, tables))


def club_steps(club: Club) -> list[NextStep]:
    return [*unfinished_start(club), *demo_club(club), *unsent_mail(club)]


def next_steps(now: EventTables, of_format: Sequence[NextStep] | None = None) -> list[NextStep]:
    """What to do in an event, the most urgent first. The only queries are those of `EVENT_RULES`.

    `of_format`: `NightProgress.tasks` or `contest_desk.ContestDesk.tasks`. The overview of all events has none, and
    gets the steps about tables only."""
    if now.event.called_off:
        return [event_called_off(now.event)]
    tasks = [task for rule in TABLE_RULES for task in rule(now)]
    if of_format is None:
        tasks += all_tables_finished(now)
    else:
        tasks += [*(task for rule in EVENT_RULES for task in rule(now.event)), *of_format]
    return sorted(tasks, key=lambda task: task.urgency)
