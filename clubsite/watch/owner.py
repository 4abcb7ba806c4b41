"""Who looks after the site, and the decorator of their pages."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache

from clubsite.accounts.models import Role
from clubsite.accounts.starting import from_this_machine

View = Callable[[HttpRequest], HttpResponse]


def is_owner(request: HttpRequest) -> bool:
    """Whether the user looks after the site: its owner anywhere, or a director at the machine itself."""
    user = request.user
    if not user.is_authenticated:
        return False
    if user.is_superuser:
        return True
    return from_this_machine(request) and Role.objects.filter(user=user, kind=Role.Kind.DIRECTOR).exists()


def owner_page(view: View) -> View:
    """A page for whoever looks after the site. Logged out: to the log-in. Anyone else: 404."""

    @never_cache
    @wraps(view)
    def wrapped(request: HttpRequest) -> HttpResponse:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        if not is_owner(request):
            raise Http404
        return view(request)

    return wrapped
