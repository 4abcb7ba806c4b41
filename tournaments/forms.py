"""Forms of the director's desk: an event, its stages, lists of names, one entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from clubsite.accounts.models import Club, Member
from scoring.engine.ruleset import Shape
from scoring.wording import kind_of
from tournaments.adjustments import MOST_POINTS
from tournaments.contest import GAMES_IN_A_SET
from tournaments.engine.formats import FORMATS, options_of
from tournaments.entry_list import LONGEST_NAME
from tournaments.events import GameChoice, games_of
from tournaments.format_words import CHOICES, LABELS
from tournaments.formats import CHAINS, fits
from tournaments.models import Entry, Event, Season, Stage
from tournaments.standings import DEFAULT_CHAIN
from tournaments.state import seating_exists
from tournaments.wording import TIE_BREAKS

LINKS = ("points", "games-won", "net", "fewest-sets", "head-to-head", "last-game", "best-game")
TIES = 4  # links that one may choose; a play-off and lots come after them where a place must be decided
MOST_GAMES = 12  # in a set
WITHOUT_A_SEAT = _("A round without a seat is worth")
MISSED = _("A round that somebody missed is worth")

YEARS = range(2000, 2101)  # what is outside is a slip: "26" typed for 2026 is sent as the year 26


def in_our_days(value: date) -> None:
    """Validate the year of a date or moment. Raises ValidationError for one that nobody can mean."""
    if value.year not in YEARS:
        raise ValidationError(_("Write the year with four figures, for example 2027."))


class MomentInput(forms.DateTimeInput):
    """Date and time as the browser's own control."""

    input_type = "datetime-local"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%dT%H:%M")


class EventForm(forms.Form):
    """An event of one format; its times are in the club's zone."""

    name = forms.CharField(label=_("Name"), max_length=80, help_text=_("For example: Spring contest 2027."))
    game = forms.ChoiceField(label=_("Game"), help_text=_("The club's own rules come first."))
    starts_at = forms.DateTimeField(label=_("Starts"), widget=MomentInput, validators=[in_our_days])
    place = forms.CharField(label=_("Place"), max_length=80, required=False, help_text=_("For example: Parish hall."))
    places = forms.IntegerField(
        label=_("Places"),
        min_value=2,
        max_value=500,
        initial=54,
        widget=forms.NumberInput(attrs={"class": "figure"}),
        help_text=_("How many can play. 54 are nine tables of six. The stages are planned from it."),
    )
    games = forms.IntegerField(
        label=_("Games in a set, at most"),
        min_value=1,
        max_value=MOST_GAMES,
        initial=GAMES_IN_A_SET,
        widget=forms.NumberInput(attrs={"class": "figure"}),
        help_text=_("Each group plays so many games in a stage. The director can end a set earlier."),
    )
    cut_rule = forms.ChoiceField(
        label=_("Who goes on"),
        required=False,
        choices=[("", _("what is usual for the game and the number"))]
        + [(c.value, c.label) for c in Stage.CutRule if c != Stage.CutRule.NONE],
        help_text=_("You can change this for each stage later."),
    )
    sit_out_rule = forms.ChoiceField(label=WITHOUT_A_SEAT, choices=Event.SitOutRule.choices)
    missing_rule = forms.TypedChoiceField(
        label=MISSED,
        choices=Event.SitOutRule.choices,
        required=False,
        empty_value=Event.SitOutRule.ZERO,
        coerce=str,
        initial=Event.SitOutRule.ZERO,
        help_text=_("For those who come late or leave early."),
    )
    season = forms.ModelChoiceField(
        label=_("Season"), queryset=Season.objects.none(), required=False, empty_label=_("none")
    )

    def __init__(self, *args: Any, club: Club, format: str, event: Event | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.club, self.event = club, event
        self.offered = games_of(club)
        self.fields["game"].choices = self._games(format)  # type: ignore[attr-defined]
        self.fields["season"].queryset = Season.objects.filter(club=club)  # type: ignore[attr-defined]
        # What decides the order has pages of its own then.
        self.begun = event is not None and seating_exists(event)
        if not self.begun:
            self.fields |= tie_fields(format, CHAINS.get(format, DEFAULT_CHAIN))
        contest = format == Event.Format.CONTEST
        self.options = [one.name for one in self._add_options(format)]
        for name in ("sit_out_rule", "missing_rule") if contest else ("places", "games", "cut_rule"):
            del self.fields[name]
        if contest:
            del self.fields["season"]
        if format == Event.Format.KNOCK_OUT or (self.begun and not contest):
            del self.fields["sit_out_rule"], self.fields["missing_rule"]
        if event is not None:
            for name in ("games", "cut_rule"):
                self.fields.pop(name, None)
            self.initial = {**self._of(event), **self.initial}

    def _add_options(self, format: str) -> list[Any]:
        """One field for each option of the format that a director may choose."""
        offered = [one for one in options_of(FORMATS[format]) if one.name in LABELS] if format in FORMATS else []
        for one in offered:
            label, choices = str(LABELS[one.name]), one.metadata["choices"]
            if choices:
                words = [(choice, CHOICES[one.name][choice]) for choice in choices]
                self.fields[one.name] = forms.ChoiceField(
                    label=label, choices=words, initial=one.default, required=False
                )
            elif isinstance(one.default, bool):
                self.fields[one.name] = forms.TypedChoiceField(
                    label=label,
                    choices=[("yes", _("yes")), ("no", _("no"))],
                    coerce=lambda value: value == "yes",
                    initial="yes" if one.default else "no",
                )
            else:
                self.fields[one.name] = forms.IntegerField(
                    label=label,
                    min_value=one.metadata["least"],
                    max_value=one.metadata["most"],
                    initial=one.default,
                    widget=forms.NumberInput(attrs={"class": "figure"}),
                )
        return offered

    def option_fields(self) -> list[forms.BoundField]:
        """The fields of the format's options."""
        return [self[name] for name in self.options]

    def _games(self, format: str) -> list[Any]:
        """One group for the club's own rules, then one for each kind of game."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for game in self.offered:
            shapes = [s for s in game.rule_set.shapes if fits(format, s)]
            kind = kind_of(game.rule_set, own=game.house_rules is not None)
            groups.setdefault(kind, []).extend(
                (f"{game.slug}:{s.sides}x{s.per_side}", f"{game.rule_set.title}: {shape_words(s)}") for s in shapes
            )
        return [("", _("choose the game")), *((kind, games) for kind, games in groups.items() if games)]

    @staticmethod
    def _of(event: Event) -> dict[str, Any]:
        ties = {
            f"tie_{n}": slug
            for n, slug in enumerate([s for s in event.tie_breaks if s in ("reached", *LINKS)], start=1)
        }
        return {
            "name": event.name,
            "game": f"{event.rules.slug}:{event.sides}x{event.per_side}",
            "starts_at": event.starts_at,
            "place": event.place,
            "places": event.places,
            "season": event.season,
            "sit_out_rule": event.sit_out_rule,
            "missing_rule": event.missing_rule,
            **{name: {True: "yes", False: "no"}.get(value, value) for name, value in event.options.items()},
            **({f"tie_{n}": "" for n in range(1, TIES + 1)} | ties if ties else {}),
        }

    def clean(self) -> dict[str, Any]:
        """Turn tie-breaks into a chain."""
        cleaned = super().clean() or {}
        cleaned["tie_breaks"] = chain_in(cleaned)
        return cleaned

    def facts(self) -> dict[str, Any]:
        """What the verbs of `tournaments.events` take."""
        slug, _colon, shape = self.cleaned_data["game"].partition(":")
        sides, _x, per_side = shape.partition("x")
        game: GameChoice = next(g for g in self.offered if g.slug == slug)
        chosen = {
            name: value
            for name, value in self.cleaned_data.items()
            if name != "game" and not name.startswith("tie_") and name not in self.options
        }
        return {
            **chosen,
            "game": game,
            "shape": Shape(int(sides), int(per_side)),
            # a choice that wasn't sent, as by a page opened before there was one, stays as it is
            "options": {name: self.cleaned_data[name] for name in self.options if self.cleaned_data[name] != ""},
            "tie_breaks": tuple(self.event.tie_breaks)
            if self.event and self.begun
            else (*self.cleaned_data["tie_breaks"], "play-off", "lots"),
        }


class StageForm(forms.Form):
    """How one stage is played, and who goes on."""

    name = forms.CharField(label=_("Name"), max_length=40)
    games = forms.IntegerField(
        label=_("Games in a set, at most"),
        min_value=1,
        max_value=MOST_GAMES,
        widget=forms.NumberInput(attrs={"class": "figure"}),
    )
    cut_rule = forms.ChoiceField(
        label=_("Who goes on"), choices=[(c.value, c.label) for c in Stage.CutRule if c != Stage.CutRule.NONE]
    )
    advance = forms.IntegerField(
        label=_("How many go on"), min_value=1, max_value=500, widget=forms.NumberInput(attrs={"class": "figure"})
    )
    wild_cards = forms.IntegerField(
        label=_("Wild cards among them"),
        min_value=0,
        max_value=499,
        widget=forms.NumberInput(attrs={"class": "figure"}),
        help_text=_("So many go on by their score, as the best of all who aren't through as the best of theirs."),
    )
    seeded = forms.TypedChoiceField(
        label=_("How the seats are drawn"),
        choices=[("no", _("by lot alone")), ("yes", _("seeded: the best of the stage before are spread"))],
        coerce=lambda value: value == "yes",
        help_text=_(
            "Seeded, each group gets one of the best, one of the next best, and so on; which of them is by lot."
        ),
    )

    def __init__(self, *args: Any, stage: Stage, last: bool, **kwargs: Any) -> None:
        kwargs["prefix"] = f"stage-{stage.number}"
        kwargs["initial"] = {
            "name": stage.name,
            "games": stage.games,
            "cut_rule": stage.cut_rule,
            "advance": stage.advance,
            "wild_cards": stage.wild_cards,
            "seeded": "yes" if stage.seeded else "no",
        }
        super().__init__(*args, **kwargs)
        self.stage = stage
        if last:
            del self.fields["cut_rule"], self.fields["advance"], self.fields["wild_cards"]
        if stage.number == 1:
            del self.fields["seeded"]

    def facts(self) -> dict[str, Any]:
        """What `contest.change_stage` takes."""
        return {"cut_rule": "", "advance": 0, **self.cleaned_data}


class TieBreaksForm(forms.Form):
    """Another chain of tie-breaks for an event that has begun."""

    def __init__(self, *args: Any, format: str, chain: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields |= tie_fields(format, chain)

    def clean(self) -> dict[str, Any]:
        """Turn tie-breaks into a chain."""
        cleaned = super().clean() or {}
        cleaned["tie_breaks"] = chain_in(cleaned)
        return cleaned


class SitOutRulesForm(forms.Form):
    """Other rules for rounds without a seat in an event that has begun."""

    sit_out_rule = forms.ChoiceField(label=WITHOUT_A_SEAT, choices=Event.SitOutRule.choices)
    missing_rule = forms.ChoiceField(label=MISSED, choices=Event.SitOutRule.choices)


class AdjustmentForm(forms.Form):
    """Points given or taken away by the director."""

    stage = forms.ModelChoiceField(label=_("Stage"), queryset=Stage.objects.none(), empty_label=None)
    entry = forms.ModelChoiceField(label=_("Who"), queryset=Entry.objects.none(), empty_label=_("choose a name"))
    points = forms.IntegerField(
        label=_("Points"),
        min_value=-MOST_POINTS,
        max_value=MOST_POINTS,
        widget=forms.NumberInput(attrs={"class": "figure"}),
        help_text=_("With a minus sign for a penalty, for example -100."),
    )
    reason = forms.CharField(
        label=_("Reason"), max_length=200, help_text=_("It is shown and printed with the standings.")
    )

    def __init__(self, *args: Any, event: Event, stages: QuerySet[Stage], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if event.rules.lowest_wins:
            self.fields["points"].help_text = _("A penalty adds points, for example 100: the lowest total wins.")
        latest = stages.last()
        for name, offered in (("stage", stages), ("entry", Entry.objects.filter(event=event, stands_in=None))):
            self.fields[name].queryset = offered  # type: ignore[attr-defined]
        if latest:
            self.fields["stage"].initial = latest
            if latest.number == 1:
                self.fields["stage"].widget = forms.HiddenInput()

    def clean_points(self) -> int:
        """Refuse nought: it would change nothing."""
        points: int = self.cleaned_data["points"]
        if not points:
            raise ValidationError(_("Write how many points, with a minus sign for a penalty."))
        return points


def tie_fields(format: str, chain: Sequence[str]) -> dict[str, forms.Field]:
    """One field for each link of a chain of tie-breaks that a director may choose in a format."""
    offered = ("reached", *LINKS) if format == Event.Format.KNOCK_OUT else LINKS
    links = [("", _("nothing more"))] + [(slug, TIE_BREAKS[slug]) for slug in offered]
    usual = [slug for slug in chain if slug in offered]
    return {
        f"tie_{n + 1}": forms.ChoiceField(
            label=_("Places go by") if not n else _("then, when level, by"),
            choices=links[1:] if not n else links,
            required=not n,
            initial=usual[n] if n < len(usual) else "",
        )
        for n in range(TIES)
    }


def chain_in(cleaned: Mapping[str, Any]) -> list[str]:
    """The chain from those fields. Raises ValidationError when a link stands twice."""
    chain: list[str] = [slug for n in range(1, TIES + 1) if (slug := cleaned.get(f"tie_{n}"))]
    if len(set(chain)) < len(chain):
        raise ValidationError(_("Each way to break a tie can stand only once. Choose another, or “nothing more”."))
    return chain


class ImportForm(forms.Form):
    """A list of names, as a file or as text."""

    file = forms.FileField(
        label=_("A CSV file"),
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".csv,.txt,.tsv,text/csv,text/plain"}),
        help_text=_("In a spreadsheet: “Save as”, then “CSV UTF-8”. One row for each name; a head is found by itself."),
    )
    names = forms.CharField(
        label=_("Or the names as text, one in each row"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
    )
    columns = forms.RegexField(regex=r"^([1-9](\+[1-9])?)?$", required=False, widget=forms.HiddenInput)


class NameForm(forms.Form):
    """One more name."""

    name = forms.CharField(
        label=_("Name"), max_length=LONGEST_NAME, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )


class EntryForm(forms.Form):
    """What is said of one entry."""

    name = forms.CharField(
        label=_("Name"), max_length=LONGEST_NAME, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    member = forms.ModelChoiceField(
        label=_("Member of the club"),
        queryset=Member.objects.none(),
        required=False,
        empty_label=_("a guest, no member"),
        help_text=_("A member's results are found again in later events."),
    )
    eligible = forms.TypedChoiceField(
        label=_("May go on after a cut"),
        choices=[("yes", _("yes")), ("no", _("no, plays without being able to go on"))],
        coerce=lambda value: value == "yes",
        widget=forms.RadioSelect,
    )
    note = forms.CharField(
        label=_("Note"),
        max_length=120,
        required=False,
        help_text=_("Why somebody may not go on; it is printed with the cut."),
    )

    def __init__(self, *args: Any, entry: Entry, **kwargs: Any) -> None:
        kwargs["initial"] = {
            "name": entry.name,
            "member": entry.member_id,
            "eligible": "yes" if entry.eligible else "no",
            "note": entry.note,
        }
        super().__init__(*args, **kwargs)
        taken = Entry.objects.filter(event=entry.event, member__isnull=False).exclude(pk=entry.pk)
        if entry.stands_in_id:  # can't go on, whatever is chosen
            del self.fields["eligible"]
        self.fields["member"].queryset = Member.objects.filter(  # type: ignore[attr-defined]
            club=entry.event.club
        ).exclude(pk__in=taken.values("member"))


def shape_words(shape: Shape) -> str:
    """Who plays against whom, in words."""
    words = {
        (2, 1): _("two players"),
        (2, 2): _("four players, partners against partners"),
        (2, 3): _("six players, two teams of three"),
        (3, 2): _("six players, three partnerships"),
    }
    if said := words.get((shape.sides, shape.per_side)):
        return str(said)
    if shape.per_side == 1:
        return str(_("%(n)d players, each for themselves")) % {"n": shape.sides}
    return str(_("%(n)d sides of %(each)d")) % {"n": shape.sides, "each": shape.per_side}
