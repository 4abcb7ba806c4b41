"""The form in which a director changes a club's rules: a field for every setting, of its kind."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, cast

from django import forms
from django.utils.translation import gettext as _, gettext_lazy

from clubsite.invisible_characters import to_one_line
from scoring.engine.core.ruleset import Plain, RuleSet, Setting, SettingProblem, Shape, shapes_in_family
from scoring.engine.settings import (
    Form,
    Kind,
    change_settings,
    complete_settings,
    implausible_settings,
    normalise,
    setting_kinds,
    setting_problems,
)
from scoring.form_parts import FigureField, YesNoField
from scoring.house_rules.actions import RulesChange
from scoring.house_rules.in_words import (
    choice_label,
    describe_shape,
    describe_value,
    problem_message,
    settings_by_section,
)
from scoring.models import HouseRules
from scoring.templatetags.rule_texts import source_titles, translated
from scoring.wording import CHOICES, SECTIONS, setting_anchor

FIGURES_IN_A_LINE = 8  # more get several lines

_FIGURE = re.compile(r"[+-]?\d{1,7}")


class FiguresField(forms.CharField):
    """Figures with a space between them: in a row, or `each` figures in every line.

    >>> FiguresField().clean("50 90, −120"), FiguresField(each=2).clean("0 50\\n1500, 90")
    ((50, 90, -120), ((0, 50), (1500, 90)))
    """

    unreadable = {
        0: gettext_lazy("Write figures with a space between them and nothing inside them, such as 50 1500."),
        2: gettext_lazy("Write two figures on each line, with a space between them: from which score, and how much."),
        3: gettext_lazy("Write three figures on each line: the points, then the least and the most that go with them."),
    }

    def __init__(self, *, each: int = 0, **kwargs: Any) -> None:
        self.each = each
        super().__init__(**kwargs)

    def to_python(self, value: Any) -> Any:
        text = str(super().to_python(value)).replace("\N{MINUS SIGN}", "-")
        lines = [[word for part in line.split() if (word := part.rstrip(",;·"))] for line in text.splitlines()]
        if any(not all(map(_FIGURE.fullmatch, words)) or self.each not in (0, len(words)) for words in lines if words):
            raise forms.ValidationError(self.unreadable[self.each], code="invalid")
        rows = tuple(tuple(map(int, words)) for words in lines if words)
        return rows if self.each else sum(rows, ())

    def prepare_value(self, value: Any) -> Any:
        if not isinstance(value, tuple):
            return value
        return "\n".join(" ".join(map(str, row)) for row in value) if self.each else ", ".join(map(str, value))


class NamesField(forms.CharField):
    """Names in a row, with a space between them.

    >>> NamesField().clean("A, 10 K")
    ('A', '10', 'K')
    """

    def to_python(self, value: Any) -> Any:
        return tuple(word for word in re.split(r"[\s,;·]+", str(super().to_python(value))) if word)

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(value) if isinstance(value, tuple) else value


class Title(forms.CharField):
    """One line of text: what can't be printed becomes a space, several spaces become one.

    >>> Title().clean(" Our\u00a0rules  ")
    'Our rules'
    """

    def to_python(self, value: Any) -> Any:
        text = str(super().to_python(value))
        return " ".join(to_one_line(text).split())


class CopyForm(forms.Form):
    title = Title(
        label=gettext_lazy("What the copy is called"),
        max_length=HouseRules._meta.get_field("title").max_length,
        help_text=gettext_lazy("For example: Wednesday Hand and Foot."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class HouseRulesForm(forms.Form):
    """The next version of a club's rules, begun as a copy of `base`."""

    seen = forms.IntegerField(min_value=0, max_value=32_000, widget=forms.HiddenInput)
    title = Title(
        label=gettext_lazy("What these rules are called"),
        max_length=HouseRules._meta.get_field("title").max_length,
        error_messages={"required": gettext_lazy("Give the rules a name.")},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    about = forms.CharField(
        label=gettext_lazy("What they are, in a sentence or two"),
        required=False,
        max_length=600,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    shapes = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Who can play"),
        coerce=lambda text: Shape(*map(int, text.split("x"))),
        error_messages={"required": gettext_lazy("Choose at least one.")},
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, base: RuleSet, original: RuleSet | None, seen: int
    ) -> None:
        """`original` is the shipped rule set of that name; `seen` the club's last version, 0 for none."""
        self.base, self.original = complete_settings(base), original
        shown = {name: translated(text) for name, text in self._texts().items()}
        shapes = list(map(str, base.shapes))
        super().__init__(data, initial={"seen": seen, "shapes": shapes, **shown})
        other_shapes = sorted(shapes_in_family(base.family) - set(base.shapes))
        shapes_field = cast(forms.TypedMultipleChoiceField, self.fields["shapes"])
        shapes_field.choices = [(str(shape), describe_shape(shape)) for shape in (*base.shapes, *other_shapes)]
        self.kinds = setting_kinds(self.base.family)
        self.names: dict[str, tuple[str, ...]] = {}  # each setting's fields, by its name
        for setting in self.base.settings:
            fields = self._setting_fields(setting, self.kinds[setting.name])
            self.fields |= fields
            self.names[setting.name] = tuple(fields)

    def change(self) -> RulesChange:
        cleaned = self.cleaned_data
        return RulesChange(self.values(), cleaned["title"], cleaned["about"], tuple(cleaned["shapes"]))

    def _texts(self) -> dict[str, str]:
        return {"title": self.base.title, "about": self.base.about}

    def _setting_fields(self, setting: Setting, kind: Kind) -> dict[str, forms.Field]:
        """By name; none where the setting can't be changed."""
        name, value = f"s_{setting.name}", normalise(setting.value)
        signed = kind.range.least < 0
        if kind.form is Form.TABLE:
            figures = dict(value or ())
            return {
                f"{name}_{number}": FigureField(
                    signed=signed, required=False, label=str(CHOICES.get(choice, choice)), initial=figures.get(choice)
                )
                for number, choice in enumerate(kind.choices)
            }
        field = self._build_field(kind, value, signed=signed)
        if field is None:
            return {}
        field.label, field.initial = translated(setting.label), value
        if isinstance(field, FiguresField) and field.each:
            field.help_text = field.unreadable[field.each]
        elif kind.none:
            field.help_text = _("Leave it empty for none.")
        return {name: field}

    @staticmethod
    def _build_field(kind: Kind, value: Plain, *, signed: bool) -> forms.Field | None:
        line = forms.TextInput(attrs={"autocomplete": "off"})

        def figures(each: int, rows: int) -> forms.Field:
            widget = forms.Textarea(attrs={"rows": rows}) if rows else line
            return FiguresField(each=each, required=False, max_length=5000, widget=widget)

        match kind.form:
            case Form.FIGURE:
                return FigureField(signed=signed, required=not kind.none)
            case Form.YES_NO:
                return YesNoField(choices=[("yes", _("yes")), ("no", _("no"))])
            case Form.CHOICE:
                return forms.ChoiceField(choices=[(choice, choice_label(choice)) for choice in kind.choices])
            case Form.FIGURES:
                return figures(0, 3 if len(value or ()) > FIGURES_IN_A_LINE else 0)
            case Form.STEPS:
                return figures(2, 4)
            case Form.SPANS:
                return figures(3, 8)
            case Form.NAMES:
                return NamesField(max_length=200, widget=line, required=not kind.choices)
        return None

    def values(self) -> dict[str, Plain]:
        """Setting name to value; settings that can't be changed or couldn't be read are left out."""
        values = {}
        for setting in self.base.settings:
            fields = self.names[setting.name]
            if not fields or any(field not in self.cleaned_data for field in fields):
                continue
            if self.kinds[setting.name].form is Form.TABLE:
                choices = self.kinds[setting.name].choices
                figures = {choice: self.cleaned_data[field] for choice, field in zip(choices, fields, strict=True)}
                values[setting.name] = self._ordered_table(setting, figures)
            else:
                values[setting.name] = self.cleaned_data[fields[0]]
        return values

    @staticmethod
    def _ordered_table(setting: Setting, figures: Mapping[str, int | None]) -> Plain:
        """A table in its old order, new names last."""
        in_order = {**dict.fromkeys(name for name, _figure in normalise(setting.value) or ()), **figures}
        return {name: figure for name, figure in in_order.items() if figure is not None}

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        for name, text in self._texts().items():
            if cleaned.get(name) == translated(text):  # unchanged since it was shown: keep the text before translation
                cleaned[name] = text
        draft = change_settings(self.base, self.values(), original=self.original, source="")
        draft = replace(draft, shapes=tuple(cleaned.get("shapes") or self.base.shapes))
        self.show_problems((*setting_problems(draft), *implausible_settings(draft)))
        return cleaned

    def show_problems(self, problems: tuple[SettingProblem, ...]) -> None:
        """Put each problem at its field, unless that has an error already."""
        for problem in problems:
            fields = self.names.get(problem.setting, ())
            if any(field in self.errors for field in fields):
                continue
            if not fields and problem.setting == "" and self.errors:
                continue  # the settings can be judged together once each of them can be read
            self.add_error(fields[0] if fields else None, problem_message(problem, self.base))

    def wrong(self) -> Iterator[tuple[str, str, str]]:
        """Id, label and message of each error, in the order of the form."""
        for name in ("title", "about", "shapes"):
            for error in self.errors.get(name, ()):
                yield f"id_{name}", str(self.fields[name].label), str(error)
        for _heading, settings in self.sections():
            for setting in settings:
                for error in setting["errors"]:
                    yield setting["anchor"], setting["label"], error

    def renew(self, seen: int) -> None:
        """Show what was typed as a change of the version published in the meantime."""
        self.data = {**{name: self.data[name] for name in self.data}, "seen": seen}

    def sections(self) -> Iterator[tuple[str, list[dict[str, Any]]]]:
        for key, settings in settings_by_section(self.base):
            yield str(SECTIONS[key]), [self._setting_context(setting) for setting in settings]

    def _setting_context(self, setting: Setting) -> dict[str, Any]:
        """Without `fields` the setting can't be changed, and `now` says what it is; a table has a field for each name.
        `shipped` is what the shipped rule set has, "" where there is none."""
        original = self.original.by_name.get(setting.name) if self.original else None
        fields = [self[field] for field in self.names[setting.name]]
        return {
            "anchor": setting_anchor(setting.name),
            "label": translated(setting.label),
            "fields": fields,
            "table": self.kinds[setting.name].form is Form.TABLE,
            "errors": list(dict.fromkeys(str(error) for field in fields for error in field.errors)),
            "now": describe_value(setting.value),
            "shipped": describe_value(original.value) if original else "",
            "source": source_titles(setting.source),
            "ruling": setting.ruling,
        }
