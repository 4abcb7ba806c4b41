"""Removing the demo: its director sees what will be deleted, and confirms it."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import logout
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from clubsite.accounts.models import Club, Role, User
from clubsite.accounts.roles import club_page, user_of
from clubsite.accounts.starting import demo_clubs, from_this_machine, is_demo, own_clubs, prove, proved
from clubsite.previews import fingerprint
from scoring.models import Deal
from tournaments.demo.loading import delete_clubs


@club_page
def remove(request: HttpRequest, club: Club) -> HttpResponse:
    """Show what is deleted with the demo; a POST removes it."""
    if not is_demo(club):
        raise Http404
    user = user_of(request)
    clubs = list(demo_clubs().filter(roles__user=user, roles__kind=Role.Kind.DIRECTOR))
    going = [
        (one, one.events.count(), one.members.count(), Deal.objects.filter(game__club=one).count()) for one in clubs
    ]
    log_ins = User.objects.filter(roles__club__in=clubs, is_superuser=False).distinct()
    staying = list(own_clubs())
    only_here = [one.username for one in log_ins.exclude(roles__club__in=staying).order_by("username")]
    mark = fingerprint([(one.pk, *numbers) for one, *numbers in going] + only_here)
    if request.method == "POST":
        if request.POST.get("fingerprint") != mark:
            messages.error(request, _("The demo has changed since you looked. Look again at what goes."))
            return redirect("demo_remove", club.slug)
        with transaction.atomic():
            delete_clubs(clubs)
        if not User.objects.filter(pk=user.pk).exists():
            proven = proved(request) or from_this_machine(request)
            logout(request)
            if proven and not staying:
                prove(request)  # so that they can go on and set up a club of their own
        messages.success(request, _("The demo is removed."))
        return redirect("home")
    context = {"going": going, "log_ins": only_here, "staying": staying, "fingerprint": mark, "myself": user.username}
    return render(request, "tournaments/setup/demo/remove.html", context)
