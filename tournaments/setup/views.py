"""The guided start: the first visit, the code, the club and its director; the club's rules, members and first night.

What is typed before there is a club waits in the session until the director is known: club and director are made in one
step."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import wraps
from operator import attrgetter
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.hashers import make_password
from django.contrib.auth.views import redirect_to_login
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _, ngettext, override
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from clubsite.accounts.login_attempts import TooManyTries
from clubsite.accounts.models import Club, Member, Role, User
from clubsite.accounts.roles import club_page, request_actor
from clubsite.accounts.starting import (
    AlreadyStarted,
    claim_first_visit,
    dismiss_steps,
    find_started_role,
    is_demo,
    is_empty,
    may_set_up_site,
    may_start_club,
    note_code_given,
    own_clubs,
    share_demo,
    start_club,
)
from clubsite.accounts.two_factor import ask_for_code, ask_owner_again
from clubsite.accounts.views import LoginForm
from clubsite.addresses import client_network, is_loopback
from clubsite.codes import ALPHABET, hyphenate
from clubsite.operations.start_code import use_code
from scoring.house_rules.actions import adopt
from scoring.house_rules.in_words import matches_search
from scoring.models import HouseRules
from scoring.templatetags.rule_texts import translated
from scoring.wording import offer_heading
from tournaments.demo import load
from tournaments.draws.drafts import engine_round
from tournaments.draws.words import describe_layout, fairness_note
from tournaments.engine.rounds import grouped, round_layout
from tournaments.entries.forms import column_roles, read_sent_list
from tournaments.events.actions import available_games
from tournaments.events.state import published_draws
from tournaments.members.pasting import BAD, add_members, read_members
from tournaments.models import Draw, Event
from tournaments.pages.next_steps import start_steps_done
from tournaments.requests import event_page, parse_submission, show_refusals_on
from tournaments.rounds.publishing import announce_published
from tournaments.setup.forms import (
    DirectorForm,
    FurtherDirectorForm,
    MembersForm,
    NightForm,
    StartClubForm,
    StartCodeForm,
    guess_club,
)
from tournaments.setup.night import NightFacts, begin_night, describe_plan, plan_first_night, proposed_start
from tournaments.table_links.links import phone_site

CLUB, PERSON = "start_club", "start_director"  # in the session
SENT_AGAIN = timedelta(minutes=10)  # for so long a form that is sent a second time is answered like the first time
CLUB_STEPS = ("rules", "members", "night")  # steps whose pages belong to the club

View = Callable[..., HttpResponse]


@dataclass(frozen=True, slots=True)
class Visit:
    """Whether it is the site's first club, or one that somebody starts who has a club already."""

    first: bool
    own_log_in: bool  # whether they can direct the new club by the log-in that they have


def start_page(view: View) -> View:
    """Decorator for pages of the start. People who may not start a club go to the log-in, or get a 404 if logged in."""

    @never_cache
    @wraps(view)
    def wrapped(request: HttpRequest) -> HttpResponse:
        if may_set_up_site(request):
            return view(request, Visit(first=True, own_log_in=False))
        if is_empty():
            return redirect("start")
        if done := _answer_resent_form(request):
            return done
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        if not may_start_club(request):
            raise Http404
        if (answer := ask_owner_again(request)) is not None:
            return answer
        held = Role.objects.filter(user=request.user).select_related("club")
        return view(request, Visit(first=False, own_log_in=not held or not all(is_demo(role.club) for role in held)))

    return wrapped


@never_cache
def welcome(request: HttpRequest) -> HttpResponse:
    """The first page of an empty install: set up a club, or load the demo. From another machine only with the code."""
    if not is_empty():
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        if not may_start_club(request):
            raise Http404
        return redirect("start_club")
    if may_set_up_site(request):
        return render(request, "tournaments/setup/welcome.html", {})
    form = StartCodeForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            if use_code(form.cleaned_data["code"], address=client_network(request)):
                note_code_given(request)
                return redirect("start")
            form.add_error("code", _("This isn't the code. Check it: it changes each time the site starts."))
        except TooManyTries as late:
            form.add_error("code", late.code_message)
    return render(request, "tournaments/setup/code.html", {"form": form}, status=422 if form.errors else 200)


@start_page
def club(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Step 1: the club, as guessed or as typed before."""
    typed: dict[str, Any] = request.session.get(CLUB, {})
    form = StartClubForm(request.POST or None, instance=guess_club(request), initial=typed)
    if request.method == "POST":
        skipped = request.POST.get("step") == "skip"
        if form.is_valid() or skipped:
            # valid fields are kept, even if the step is passed over
            fields = {name: form.cleaned_data.get(name) or form.initial[name] for name in form.fields}
            fields["skipped"] = skipped and not fields["name"]
            request.session[CLUB] = {**fields, "name": fields["name"] or _("Our card club")}
            return redirect("start_director")
    context = {"form": form, "visit": visit, "step": "club", "known": bool(typed.get("time_zone"))}
    return render(request, "tournaments/setup/club.html", context, status=422 if form.errors else 200)


@start_page
def director(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Step 2: the director. Then the club is started and its director logged in."""
    fields = request.session.get(CLUB)
    if not fields:
        return redirect("start_club")
    typed = request.session.get(PERSON, {})
    kind = FurtherDirectorForm if visit.own_log_in else DirectorForm
    form = kind(request.POST or None, initial={"full_name": typed.get("name", "")}, hashed=typed.get("hash", ""))
    with override(fields["language"]):
        if request.method == "POST":
            step = request.POST.get("step")
            if form.is_valid() and step != "back":
                return _finish_director_step(request, visit, fields=fields, person=form.cleaned_data)
            if step == "skip":
                return _finish_director_step(request, visit, fields=fields, person={"who": FurtherDirectorForm.ME})
            if step == "back":
                hashed = form.cleaned_data.get("password") or typed.get("hash", "")
                request.session[PERSON] = {"name": request.POST.get("full_name", "")[:140], "hash": hashed}
                return redirect("start_club")
        context = {
            "form": form,
            "visit": visit,
            "step": "director",
            "name": fields["name"],
            "submission": parse_submission(request.POST.get("submission")),
        }
        return render(request, "tournaments/setup/director.html", context, status=422 if form.errors else 200)


@require_POST
@start_page
def demo(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Load the demo, log its director in, and show the passwords this one time."""
    if not visit.first:
        raise Http404
    try:
        with transaction.atomic():
            claim_first_visit()
            loaded = load()
    except AlreadyStarted:
        return redirect("home")
    login(request, User.objects.get(username=loaded.director.username))
    return render(request, "tournaments/setup/demo/made.html", {"demo": loaded})


def _finish_director_step(
    request: HttpRequest, visit: Visit, *, fields: dict[str, Any], person: dict[str, Any]
) -> HttpResponse:
    """Start the club with its director. Go on as that director, or tell the maker how the director logs in."""
    left = [*CLUB_STEPS, *(["club"] if fields.get("skipped") else [])]
    maker = User.objects.filter(username=request.user.get_username()).first()  # None on a first visit
    director, password = maker, ""
    submission = parse_submission(request.POST.get("submission"))
    if director is None or not visit.own_log_in or person["who"] == FurtherDirectorForm.OTHER:
        if "full_name" not in person:  # the step was passed over: make a log-in, shown once
            password = _password_for(submission)
            person = {"full_name": _("Director"), "password": make_password(password)}
            left.append("director")
        director = User(password=person["password"], is_superuser=not own_clubs().exists())
        director.set_full_name(person["full_name"])
    new = director is not maker
    try:
        role = start_club(
            club=Club(**{name: fields[name] for name in StartClubForm.Meta.fields}),
            director=director,
            by=request_actor(request) if maker else None,
            left=left,
            submission=submission,
            first=visit.first,
        )
    except AlreadyStarted:
        return redirect("home")
    if new and maker and not visit.own_log_in:
        share_demo(role.user, maker)
    for key in (CLUB, PERSON):
        request.session.pop(key, None)
    about = {"club": role.club, "username": role.user.username, "name": role.user.get_full_name()}
    if new and visit.own_log_in:
        words = _(
            "%(club)s is set up. %(name)s directs it and logs in as %(username)s, with the password that you chose."
        )
        messages.success(request, words % about)
        return redirect("home")
    if new:
        login(request, role.user)
    if password:
        return render(
            request, "tournaments/setup/password.html", {"role": role, "password": password, "step": "director"}
        )
    words = _("%(club)s is set up.")
    if new:
        words = _("%(club)s is set up, and you are logged in. Your log-in name is %(username)s.")
    messages.success(request, words % about)
    return redirect("start_rules", role.club.slug)


def _password_for(submission: UUID) -> str:
    """The password for a director who typed none. It is derived from the submission, so that a second tap shows the
    same one."""
    digest = salted_hmac("clubsite.start.password", str(submission), algorithm="sha256").digest()
    return hyphenate([ALPHABET[byte % len(ALPHABET)] for byte in digest[:12]])


def _answer_resent_form(request: HttpRequest) -> HttpResponse | None:
    """The answer to a director's form sent again within minutes, else None. The first sending started the club; with
    the right password the sender goes on as its director. A generated password is shown again while it is valid."""
    sent = request.POST.get("submission", "")
    role = find_started_role(parse_submission(sent), within=SENT_AGAIN) if sent else None
    if role is None:
        return None
    fresh = _password_for(parse_submission(sent)) if request.POST.get("step") == "skip" else ""
    typed = fresh or request.POST.get("password", "")
    if fresh or request.user.pk != role.user_id:
        form = LoginForm(request, {"username": role.user.username, "password": typed})
        if not form.is_valid():
            return redirect("login")
        if (answer := ask_for_code(request, form.get_user(), to=request.get_full_path())) is not None:
            return answer
        login(request, form.get_user())
    if fresh:
        return render(request, "tournaments/setup/password.html", {"role": role, "password": fresh, "step": "director"})
    return redirect("start_rules", role.club.slug)


@club_page
def rules(request: HttpRequest, club: Club) -> HttpResponse:
    """Step 3: the game. Pressing one makes its rules the club's."""
    games = available_games(club)
    if request.method == "POST":
        chosen = next((game for game in games if game.slug == request.POST.get("rules")), None)
        if chosen:
            house_rules = chosen.house_rules or adopt(club=club, rule_set=chosen.rule_set, by=request_actor(request))
            messages.success(request, _("You play %(rules)s.") % {"rules": translated(house_rules.title)})
            return redirect("start_members", club.slug)
    search = request.GET.get("q", "").strip()[:80]
    found = (game for game in games if matches_search(game.rule_set, search))
    offered = grouped((offer_heading(game.rule_set, of_club=bool(game.house_rules)), game) for game in found)
    context = {"step": "rules", "done": start_steps_done(club), "offered": dict(offered), "search": search}
    return render(request, "tournaments/setup/rules.html", context)


@club_page
def members(request: HttpRequest, club: Club) -> HttpResponse:
    """Step 4: the members, from text or a file; previewed, then added."""
    form = MembersForm(request.POST, request.FILES) if request.method == "POST" else MembersForm()
    context: dict[str, Any] = {
        "step": "members",
        "done": start_steps_done(club),
        "form": form,
        "there": Member.objects.filter(club=club).count(),
    }
    if request.method != "POST" or request.POST.get("step") == "change" or not form.is_valid():
        if request.POST.get("step") == "change":  # back from the look at the list: what was typed is there
            context["form"] = MembersForm(initial={"names": request.POST.get("names", "")})
        return render(request, "tournaments/setup/members/names.html", context, status=422 if form.errors else 200)
    with show_refusals_on(form, form.source_field):
        sent = read_sent_list(request, form)
        pasted = read_members(club, sent.text, answers=request.POST, columns=column_roles(request, club))
        if sent.guessed:
            context["form"] = form = MembersForm({"names": sent.text})
            form.add_error("names", _("Some letters of this file may be wrong. Check the names, and correct them."))
        elif not pasted.rows:
            form.add_error("names", _("There are no names in this list. Choose a file, or write names."))
    if form.errors:
        return render(request, "tournaments/setup/members/names.html", context, status=422)
    submission = parse_submission(request.POST.get("submission"))
    if request.POST.get("step") == "add":
        with show_refusals_on(form):
            added = add_members(club=club, people=pasted.people, by=request_actor(request), submission=submission)
            words = ngettext("%(n)d member is added.", "%(n)d members are added.", len(added.made))
            messages.success(request, words % {"n": len(added.made)})
            return redirect("start_night", club.slug)
    context |= {
        "pasted": pasted,
        "bad": pasted.rows_in_state(BAD),
        "count": len(pasted.people),
        "submission": submission,
    }
    context |= sent.context(pasted.listing, contact=True)
    return render(request, "tournaments/setup/members/look.html", context, status=422 if form.errors else 200)


@club_page
def night(request: HttpRequest, club: Club) -> HttpResponse:
    """Step 5: the first night, with proposals; then its cards."""
    people = sorted(Member.objects.filter(club=club, active=True), key=attrgetter("by_name"))
    games = available_games(club)
    newest_rules = HouseRules.objects.filter(club=club).order_by("-pk").first()
    sent = _drop_proposals(request.POST.copy()) if request.POST else _saved_form(request, club, people=people)
    slug = sent.get("game") or (newest_rules.slug if newest_rules else "")
    game = next((game for game in games if game.slug == slug), games[0])
    chosen = set(sent.getlist("people")) if sent else {str(member.pk) for member in people}
    count = sum(str(member.pk) in chosen for member in people)
    plan, proposed = (plan_first_night(game.rule_set, count, odd=odd) for odd in (sent.get("odd", ""), ""))
    initial = {"name": _("First night"), "game": game.slug, "starts_at": proposed_start(club)}
    initial |= sent.dict() | {"odd": plan.odd, "rounds": sent.get("rounds", plan.rounds)}
    initial["people"] = [member.pk for member in people if str(member.pk) in chosen]
    looked_at = request.POST.get("step") == "look"  # at what the game and the people give, before anything is made
    bound = None if looked_at or not request.POST else initial | {"people": sent.getlist("people")}
    if request.POST:
        _save_form(request, club, sent=sent, without={str(member.pk) for member in people} - chosen)
    part = looked_at and request.htmx  # type: ignore[attr-defined]  # from its middleware
    stands = f"{game.slug} {count} {plan.odd}"  # all that what the game and the people give depends on
    if part and request.POST.get("stands") == stands:
        return HttpResponse(status=204)  # a field that isn't made anew can be typed into meanwhile
    form = NightForm(bound, initial=initial, club=club, games=games, plan=plan)
    submission = parse_submission(request.POST.get("submission"))
    if bound and form.is_valid():
        facts = NightFacts(**form.cleaned_data | {"game": game, "odd": plan.odd})
        with show_refusals_on(form):
            event = begin_night(club=club, by=request_actor(request), facts=facts, submission=submission)
            del request.session[_session_key(club)]
            announce_published(request, first_draw(event))
            return redirect("start_cards", club.slug, event.slug)
    context = {
        "step": "night",
        "done": start_steps_done(club),
        "form": form,
        "people": people,
        "game": translated(game.rule_set.title),
        "count": count,
        "plan": plan,
        "plan_sentences": describe_plan(game.rule_set, count),
        "proposed": proposed,
        "stands": stands,
        "chosen": chosen,
        "submission": submission,
    }
    page = "tournaments/setup/_night_way.html" if part else "tournaments/setup/night.html"
    return render(request, page, context, status=422 if form.errors else 200)


def _save_form(request: HttpRequest, club: Club, *, sent: QueryDict, without: set[str]) -> None:
    """Keep what was entered for the night in the session: the start only if it isn't the proposed one, which differs
    tomorrow; of the people who isn't ticked, so that members added meanwhile are."""
    saved = sent.copy()
    left = ["starts_at"] if saved.get("starts_at") == f"{proposed_start(club):%Y-%m-%dT%H:%M}" else []
    for name in ("csrfmiddlewaretoken", "step", "people", "submission", "long_ago", *left):
        saved.pop(name, None)
    saved.setlist("without", sorted(without))
    request.session[_session_key(club)] = saved.urlencode()


def _saved_form(request: HttpRequest, club: Club, *, people: Sequence[Member]) -> QueryDict:
    saved = QueryDict(request.session.get(_session_key(club), ""), mutable=True)
    if saved:
        without = saved.pop("without", [])
        saved.setlist("people", [key for key in (str(member.pk) for member in people) if key not in without])
    return saved


def _session_key(club: Club) -> str:
    return f"first-night-{club.pk}"


def _drop_proposals(sent: QueryDict) -> QueryDict:
    """The sent form without unchanged proposals, which depend on the game and the people."""
    for name in NightForm.DEPENDENT_FIELDS:
        if sent.get(name) == sent.get(f"proposed-{name}"):
            sent.pop(name, None)
    return sent


@event_page
def cards(request: HttpRequest, club: Club, *, event: Event) -> HttpResponse:
    """The last step: print the cards of the first night."""
    draw = first_draw(event)
    context = {
        "event": event,
        "game": translated(event.rules.title),
        "people": draw.seats.filter(entry__stands_in=None).count(),
        "gives": describe_layout(round_layout(engine_round(draw)))
        if event.by_rounds
        else fairness_note(draw.round.stage, draw.statement),
        "tables": draw.tables.count(),
        "sit_outs": [sit_out.entry.name for sit_out in draw.sit_outs.select_related("entry")],
        **{
            document: f"{reverse('document', args=[club.slug, event.slug, document])}?draw={draw.pk}"
            for document in ("round", "cards", "seating")
        },
        "contest": not event.by_rounds,
        "site": phone_site(request),
        "only_here": is_loopback(phone_site(request)),
    }
    return render(request, "tournaments/setup/cards.html", context)


def first_draw(event: Event) -> Draw:
    """The published draw of the first round. Raises Http404 if there is none."""
    draw = published_draws(event).first()
    if draw is None:
        raise Http404
    return draw


@require_POST
@club_page
def hide_start(request: HttpRequest, club: Club) -> HttpResponse:
    dismiss_steps(club=club, by=request_actor(request))
    messages.success(request, _("Hidden. You can still do every step on its own page."))
    return redirect("desk", club.slug)
