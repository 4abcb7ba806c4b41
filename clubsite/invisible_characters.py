"""Middleware around the pages: takes invisible characters out of what is typed, whatever page it is typed on.

A name with a character in it that turns the reading direction, has no width, or is a control character would look like
another name, or spoil its line. This is the one place where they are taken out of forms; names in files are read by
`pasted_names.tidy` and `one_line`, which follow the same rule.
"""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, QueryDict
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext as _

from clubsite.one_line import without_hidden

FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
AS_TYPED = ("password", "csrfmiddlewaretoken")  # parts of the names of fields whose values are compared, never shown


class InvisibleCharacters(MiddlewareMixin):
    """Middleware: cleans the fields of a form that is sent, and of an address."""

    def process_request(self, request: HttpRequest) -> None:
        """Clean them. Somebody whose form held such characters is told so."""
        if (query := cleaned(request.GET)) is not None:
            request.GET = query  # type: ignore[assignment]  # it is a cached property
        if request.method == "POST" and request.content_type in FORMS:
            if (form := cleaned(request.POST)) is not None:
                request.POST = form  # type: ignore[assignment]  # its type doesn't know that it can be set
                messages.warning(request, _("Signs that can't be seen were left out of what you sent."))
            for files in request.FILES.lists():
                for file in files[1]:
                    file.name = without_hidden(file.name or "") or "file"


def cleaned(sent: QueryDict) -> QueryDict | None:
    """The same fields without invisible characters; None where nothing has to change."""
    if all(value.isascii() and value.isprintable() for _name, values in sent.lists() for value in values):
        return None
    made = QueryDict(mutable=True)
    for name, values in sent.lists():
        as_typed = any(part in name for part in AS_TYPED)
        made.setlist(name, values if as_typed else [without_hidden(value) for value in values])
    return None if all(made.getlist(name) == values for name, values in sent.lists()) else made
