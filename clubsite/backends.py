"""Which field of a form has the focus when the page opens, and how static files are built, for the whole site."""

from typing import Any

from django.forms import BoundField
from django.forms.renderers import TemplatesSetting
from django.http import HttpRequest
from whitenoise.storage import CompressedManifestStaticFilesStorage


class FocusedField(BoundField):
    """Takes the focus if it is the first field of its form with an error, so that it is in sight when the page comes
    back. No other field has the focus then, not even the one that has it on a new page."""

    def build_widget_attrs(self, attrs: dict[str, Any], widget: Any = None) -> dict[str, Any]:
        attrs = super().build_widget_attrs(attrs, widget)
        errors, fields = self.form.errors, self.form.fields
        if not errors:
            return attrs
        first = next((name for name in fields if name in errors and not fields[name].widget.is_hidden), None)
        return attrs if first is None else attrs | {"autofocus": self.name == first}


class Renderer(TemplatesSetting):
    """Django's, with our fields, and our rows in `templates/django/forms`. Of the buttons of a choice only the first
    takes the focus."""

    bound_field_class = FocusedField

    def render(  # noqa: PLR0917  (Django's)
        self, template_name: str, context: dict[str, Any], request: HttpRequest | None = None
    ) -> str:
        for button in _buttons_after_first(context.get("widget", {})):
            button["attrs"].pop("autofocus", None)
        return super().render(template_name, context, request)


def _buttons_after_first(widget: dict[str, Any]) -> list[dict[str, Any]]:
    if "optgroups" in widget:
        return [button for _name, buttons, _number in widget["optgroups"] for button in buttons][1:]
    return [] if widget.get("index", "0") in ("0", "0_0") else [widget]


class BuiltFiles(CompressedManifestStaticFilesStorage):
    """WhiteNoise's; the files that a JavaScript module imports are named by their content, too."""

    support_js_module_import_aggregation = True
