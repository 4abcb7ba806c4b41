"""The form of a deal: what the forms of all game families share."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from django import forms
from django.utils.functional import Promise, cached_property
from django.utils.translation import gettext as _, gettext_lazy

from clubsite.backends import FocusedField
from scoring.engine.core.ledger import Problem
from scoring.form_parts import FigureField, Hints
from scoring.models import LONGEST_REASON, DealVersion, Game

UNKNOWN = 0  # the deal's number comes with the form


@dataclass(frozen=True, slots=True)
class EnteredDeal:
    """What is on the card, and the answers to its problems."""

    facts: Any  # of the game's family
    written: Sequence[int | None] = ()  # the running totals that the scorer wrote, by side; () where there are none
    written_sets: Sequence[int] | None = None  # the sides that the scorer marked as set; None: not looked at
    sure: bool = False  # yes to unlikely figures
    ruling: str = ""  # the director's reason for accepting the card in spite of its problems


def player_names(sides: Sequence[Sequence[str]], per_side: int) -> tuple[str, ...]:
    """Of the first side, then of the next; "Player 3" for one without a name.

    >>> player_names([["Ann", "Bob"], ["Cal"]], 2)
    ('Ann', 'Bob', 'Cal', 'Player 4')
    """
    return tuple(
        names[seat] if seat < len(names) else unnamed_player(side * per_side + seat + 1)
        for side, names in enumerate(sides)
        for seat in range(per_side)
    )


def side_values(**columns: Sequence[Any]) -> dict[str, Any]:
    """Values of the sides' fields.

    >>> side_values(meld=(20, 7))
    {'meld_0': 20, 'meld_1': 7}
    """
    return {f"{name}_{side}": value for name, column in columns.items() for side, value in enumerate(column)}


def unnamed_player(place: int) -> str:
    return _("Player %(number)d") % {"number": place}


NOBODY = "nobody"  # no side is marked as set, which isn't the same as no answer


@dataclass(frozen=True, slots=True)
class Block:
    """A part of the form.

    `kind`: "choice" (one field, big radio buttons), "figures" (fields in a row, `title` above them), "counts" (the same
    with many small figures), "plain" (fields one below the other); for counting "melds" (a table of `rows` under
    `heads`), "pictures" (a row for each meld) and "laid" (what can be laid, beside a field for each place).
    """

    kind: str
    title: str
    fields: tuple[forms.BoundField, ...]
    rows: Sequence[Any] = ()
    heads: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class PaperLine:
    """The names of a deal's fields in the order of a printed card's boxes."""

    first: tuple[str, ...]  # of no side, before the sides' figures
    sides: tuple[tuple[str, ...], ...]  # each ends with the running total that the scorer wrote
    last: tuple[str, ...]  # of no side, after them


class DealForm(forms.Form):
    """What is on the card for one deal of a game.

    Subclasses add the family's fields. A field of a side is called `NAME_SIDE`, e.g. `meld_1`; NAME is the facts' own
    field, so that problems find their place by themselves.
    """

    bound_field_class = forms.BoundField  # wrong figures are listed above: the pad goes to none of them

    counting_summary = gettext_lazy("Count the melds for me")
    counting_help = gettext_lazy(
        "Write how many of each meld each player laid down. Leave the meld above empty and it is added up for you. "
        "For a side you don't count here, write its meld above: 0 if there was none."
    )

    # by field, the answers by their keys where they have keys of their own
    typed_keys: Mapping[str, Mapping[str, str]] = {}
    figure_heads: Mapping[str, Promise] = {}  # of columns of figures that have the sides' names as labels, by NAME

    has_set_marks = False  # the card on paper has a column for failed bids

    submission = forms.UUIDField(widget=forms.HiddenInput)
    number = forms.IntegerField(min_value=1, max_value=1000, widget=forms.HiddenInput)
    as_number = forms.IntegerField(required=False, min_value=1, max_value=1000)
    sure = forms.BooleanField(required=False, label=gettext_lazy("Yes, the card says so"))
    ruling = forms.CharField(
        required=False,
        max_length=LONGEST_REASON,
        label=gettext_lazy("Director's ruling"),
        help_text=gettext_lazy("Why you accept this card in spite of the problems. The reason is saved with the deal."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    @property
    def end_rules(self) -> str:
        """JSON of what ends a game by points, for a phone without network; "" where deals don't just add up."""
        return ""

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        game: Game,
        number: int = UNKNOWN,
        now: EnteredDeal | None = None,
        seen: int | None = None,
    ) -> None:
        """`now`, what is on the card, fills the form of a correction; `seen`, the version shown, makes it ask for the
        reason.
        """
        self.game, self.rules = game, game.engine_rules
        self.sides = tuple(side.name for side in game.sides.all())
        self.problems: tuple[Problem, ...] = ()
        initial: dict[str, Any] = {"submission": uuid4(), "number": number}
        if now is not None:
            initial |= self.field_values(now.facts) | side_values(written=now.written)
            if now.written_sets is not None:
                initial["written_sets"] = [str(side) for side in now.written_sets] or [NOBODY]
        super().__init__(data, initial=initial)
        self.add_fields()
        for side, name in enumerate(self.sides):
            self.fields[f"written_{side}"] = FigureField(signed=True, required=False, label=name)
        if self.has_set_marks and game.rules.rule_set.has_bids:
            self.fields["written_sets"] = forms.MultipleChoiceField(
                required=False,
                label=_("Which side did the scorer mark with a failed bid?"),
                help_text=_("Press nothing if the card has no marks like this."),
                choices=[*((str(side), name) for side, name in self.side_choices()), (NOBODY, _("Nobody"))],
                widget=forms.CheckboxSelectMultiple(attrs={"class": "btn-check"}),
            )
        if seen is not None:
            self.fields["seen"] = forms.IntegerField(min_value=1, initial=seen, widget=forms.HiddenInput)
            self.fields["reason"] = forms.CharField(
                max_length=LONGEST_REASON,
                label=_("Reason for the correction"),
                help_text=_("For example: the two cards were compared, meld was misread."),
                error_messages={"required": _("Say why the deal is corrected.")},
                widget=forms.TextInput(attrs={"autocomplete": "off"}),
            )
            # below the figures: once these are right it has to come into sight
            self.fields["reason"].bound_field_class = FocusedField

    # For each family

    def add_fields(self) -> None:
        raise NotImplementedError

    def blocks(self) -> Iterator[Block]:
        """The form's parts, in the order of the card."""
        raise NotImplementedError

    def rare_blocks(self) -> Iterator[Block]:
        """Folded away until needed."""
        return iter(())

    def counting_blocks(self) -> Iterator[Block]:
        """For counting out totals of the card; folded away until used."""
        return iter(())

    def facts(self) -> Any:
        """Of a valid form."""
        raise NotImplementedError

    def field_values(self, facts: Any) -> dict[str, Any]:
        """The values that show these facts, by field name."""
        raise NotImplementedError

    shared_last = False  # on the printed card, fields of no side come after the sides' figures

    # Shared

    def paper_line(self) -> PaperLine:
        """Without questions that may stay unanswered, such as who won the last trick: they have no box."""
        shared: list[str] = []
        sides: list[list[str]] = [[] for _side in self.sides]
        for block in self.blocks():
            for field in block.fields:
                if block.kind == "choice" and not field.field.required:
                    continue
                side = field.name.rpartition("_")[2]
                (sides[int(side)] if side.isdecimal() else shared).append(field.name)
        for side_number, names in enumerate(sides):
            names.append(f"written_{side_number}")
        first, last = ((), tuple(shared)) if self.shared_last else (tuple(shared), ())
        return PaperLine(first, tuple(map(tuple, sides)), last)

    def add_figures(self, name: str, label: str = "", *, hints: Hints, required: bool = False) -> None:
        """For each side: fields `NAME_0`, `NAME_1`, ... Without a label they have the sides' names."""
        for side, side_name in enumerate(self.sides):
            self.fields[f"{name}_{side}"] = FigureField(label=label or side_name, required=required, hints=hints)

    def add_choice(
        self,
        name: str,
        label: str,
        *,
        choices: Sequence[tuple[Any, str]] = (),
        none: str = "",
        help_text: str = "",
        kind: Callable[[str], Any] = int,
    ) -> None:
        """A question with big buttons, one for each side if there are no `choices`. `kind` makes the value from text.
        With `none`, the label of one more button, the question may stay open.
        """
        self.fields[name] = forms.TypedChoiceField(
            label=label,
            choices=[*(choices or self.side_choices()), *([("", none)] if none else [])],
            required=not none,
            coerce=kind,
            empty_value=None,
            help_text=help_text,
            widget=forms.RadioSelect(attrs={"class": "btn-check"}),
            error_messages={"required": gettext_lazy("Press one of these.")},
        )

    @cached_property
    def players(self) -> tuple[str, ...]:
        return player_names([side.names for side in self.game.sides.all()], self.game.per_side)

    def side_choices(self) -> list[tuple[Any, str]]:
        return list(enumerate(self.sides))

    def side_fields(self, name: str) -> tuple[forms.BoundField, ...]:
        return tuple(self[f"{name}_{side}"] for side in range(len(self.sides)))

    def per_side(self, name: str) -> tuple[Any, ...]:
        return tuple(self.cleaned_data[f"{name}_{side}"] for side in range(len(self.sides)))

    def column(self, name: str, nothing: Any = 0) -> tuple[Any, ...]:
        """In order of sides; empty where no side has a value, or the rules don't use the field."""
        values = [self.cleaned_data.get(f"{name}_{side}") or nothing for side in range(len(self.sides))]
        return tuple(values) if any(value != nothing for value in values) else ()

    def require_each(self, name: str) -> None:
        for side in range(len(self.sides)):
            self.require(f"{name}_{side}")

    def require(self, field: str) -> None:
        """Add an error to an empty field, unless it has one; for use in `clean`."""
        if self.cleaned_data.get(field) is None and field not in self.errors:
            words = self.fields[field].error_messages["required"]
            self.add_error(field, forms.ValidationError(words, code="required"))

    def written_totals(self) -> list[int | None]:
        """As the scorer wrote them, None for a blank; empty when all are blank."""
        totals = [self.cleaned_data.get(f"written_{side}") for side in range(len(self.sides))]
        return totals if any(total is not None for total in totals) else []

    def clean_written_sets(self) -> tuple[int, ...] | None:
        marked: list[str] = self.cleaned_data["written_sets"]
        if NOBODY in marked and len(marked) > 1:
            raise forms.ValidationError(_("Press the sides that are marked, or nobody."), code="nobody-and-sides")
        return tuple(int(side) for side in marked if side != NOBODY) if marked else None

    def entered_deal(self, *, ruled: bool = False) -> EnteredDeal:
        """Of a valid form; a ruling counts only where the sender may rule (`ruled`)."""
        cleaned = self.cleaned_data
        ruling = cleaned["ruling"] if ruled else ""
        return EnteredDeal(self.facts(), self.written_totals(), cleaned.get("written_sets"), cleaned["sure"], ruling)

    def written_blocks(self) -> Iterator[Block]:
        yield Block("figures", _("Running totals as the scorer wrote them"), self.side_fields("written"))
        if "written_sets" in self.fields:
            yield Block("choice", "", (self["written_sets"],))

    def is_rare_used(self) -> bool:
        """Whether anything folded away is filled in or wrong."""
        fields = [field for block in (*self.rare_blocks(), *self.written_blocks()) for field in block.fields]
        return any(field.errors or _is_filled(field.value()) for field in fields)

    @cached_property
    def counting_cache_key(self) -> str:
        """The rules in full while the counting parts are empty and folded away; "" once they are used."""
        fields = (field for block in self.counting_blocks() for field in block.fields)
        return "" if any(field.errors or _is_filled(field.value()) for field in fields) else str(self.rules)

    def deal_number(self) -> int:
        chosen: int = self.cleaned_data["as_number"] or self.cleaned_data["number"]
        return chosen

    def place_in_game(self) -> int:
        """Of a valid form: the place among the deals that count, from 1; the deal after a void one takes its place."""
        number = self.deal_number()
        return number - sum(other < number for other in self.void_numbers)

    @cached_property
    def void_numbers(self) -> Collection[int]:
        """The numbers of void deals, which few families use. Set it where they are known, else a query reads them."""
        versions = DealVersion.objects.filter(deal__game=self.game, current=True, state=DealVersion.State.VOID)
        return set(versions.values_list("deal__number", flat=True))

    def renew_submission(self) -> None:
        """Give what was typed a new submission id."""
        self.data = {**{name: self.data[name] for name in self.data}, "submission": str(uuid4())}

    def problem_fields(self, problem: Problem) -> list[str]:
        """Names of fields; none when the problem is about the whole card."""
        if problem.side is not None and f"{problem.field}_{problem.side}" in self.fields:
            return [f"{problem.field}_{problem.side}"]
        if problem.field in self.fields:
            return [problem.field]
        return [name for side in range(len(self.sides)) if (name := f"{problem.field}_{side}") in self.fields]

    def fields_with_errors(self) -> list[tuple[str, str]]:
        """Id and label of each visible field with an error, in the order of the errors."""
        names = [name for name in self.errors if name in self.fields and not self[name].is_hidden]
        return [(self[name].id_for_label or str(self[name].auto_id), self.field_label(name)) for name in names]

    def field_label(self, name: str) -> str:
        """A field's label, with the side's name where there is one: "Meld, Ann & Bob"."""
        label = str(self.fields[name].label or name)
        side = name.rpartition("_")[2]
        if side.isdecimal() and label != self.sides[int(side)]:
            return f"{label}, {self.sides[int(side)]}"
        return label


def _is_filled(value: Any) -> bool:
    """An empty tick box (False) and the usual ending ("played") aren't filled in; 0 is."""
    return value is not False and value not in (None, "", [], "played")
