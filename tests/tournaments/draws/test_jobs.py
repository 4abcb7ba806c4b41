"""The search for a draw as a task: at once where it can be, watched, given up, failed."""

from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from threading import Barrier

import pytest
from django.db import connections
from django_tasks_db.models import DBTaskResult

from clubsite.accounts.models import LogEntry
from clubsite.jobs import heartbeat
from clubsite.jobs.queue import enqueue
from tests.jobs.workers import work
from tests.pages import page_of
from tests.tournaments.nights import arrive, begun, drafted, make_night, publish_next, queries_of
from tournaments import models
from tournaments.draws import making, rotation
from tournaments.draws.drafts import engine_round
from tournaments.draws.making import why_stale
from tournaments.draws.rotation import add_wish
from tournaments.engine.draws import search
from tournaments.engine.verify import find_faults
from tournaments.errors import StepRefused
from tournaments.models import Draw, DrawJob, Event, Wish
from tournaments.rounds import publishing

DRAW = "/st-hilary/desk/friday/rounds/draw/"
SEARCH = f"{DRAW}search/"
PART = {"HX-Request": "true"}
HARD = {"planned": 7, "odd": "sit-out"}  # 18 people with a couple: no pattern, and the search uses all its steps


@pytest.fixture
def event(event, actor):
    hard_to_draw(event, actor, 18)
    return event


def hard_to_draw(event, by, people):
    """So many people, two of whom are always partners: they have no part in any pattern."""
    arrive(event, by, people)
    one, other = event.entries.filter(number__lt=3)
    add_wish(event=event, by=by, wished=Wish(kind="always", entry=one, other=other))


def waiting_runs():
    """The runs of searches that wait for a worker, in the order in which they were asked for."""
    waiting = DBTaskResult.objects.ready().filter(task_path=making.search.module_path).order_by("enqueued_at")
    return [result.args_kwargs["args"][1] for result in waiting]


@pytest.fixture
def short(monkeypatch):
    """Searches so short that a test can wait for them, which tell of themselves all the time."""
    monkeypatch.setattr(rotation, "EFFORTS", {"normal": 60_000, "longer": 120_000})
    monkeypatch.setattr(making, "REPORT_EVERY", 0)


@pytest.mark.daily(2)
@pytest.mark.parametrize(("people", "planned"), [(16, 4), (24, 6), (18, 2), (60, 8), (4, 1)])
def test_what_is_found_at_once_needs_no_task(club, actor, rules, apart, people, planned):
    event = make_night(club, rules)
    arrive(event, actor, people)
    made = begun(event, actor, planned=planned, odd="sit-out")
    assert isinstance(made, Draw)
    assert (waiting_runs(), DrawJob.objects.count()) == ([], 0)
    whole = made.statement["whole"] or made.statement
    for role in ("partner", "opponent", "table_mate"):
        assert whole[role]["repeats"] == whole[role]["least_repeats"]


def test_a_long_search_saves_one_draft_says_how_and_gives_the_same_again(event, actor, short):
    job = begun(event, actor, **HARD)
    assert isinstance(job, DrawJob)
    job.refresh_from_db()
    assert job.state == DrawJob.State.DONE
    draw = Draw.objects.get()
    assert draw.statement["how"]["method"] == "search"
    assert 50_000 < draw.statement["how"]["steps"] < 70_000
    assert draw.statement["plan"]["steps"] == 60_000
    assert len(draw.ahead) == 6
    assert LogEntry.objects.get(verb="draw.make").actor == "Dora"
    enqueue(making.search, job.pk, job.run, "en")  # a second task of the same run
    assert Draw.objects.count() == 1
    again = drafted(event, actor, planned=7, seed=draw.seed, steps=60_000)
    assert (engine_round(again), again.ahead) == (engine_round(draw), draw.ahead)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("planned", [7, 2])  # with a search, and without one
def test_four_who_ask_at_the_same_moment_get_one_search_or_one_draft(event, actor, apart, planned):
    def ask():
        try:
            barrier.wait()
            made = begun(event, actor, seen=0, planned=planned, odd="sit-out")
            return type(made).__name__, made.pk
        finally:
            connections.close_all()

    barrier = Barrier(4)
    with ThreadPoolExecutor(4) as pool:
        got = [asked.result() for asked in [pool.submit(ask) for _n in range(4)]]
    assert len(set(got)) == 1
    assert (Draw.objects.count(), waiting_runs()) == ((0, [1]) if planned == 7 else (1, []))


def test_a_search_without_a_worker_or_whose_task_is_gone_says_so_and_its_best_can_be_taken(
    event, actor, apart, browser
):
    begun(event, actor, **HARD)
    page = browser.get(DRAW).content.decode()
    assert "The search waits for a worker" in page
    assert "./dev manage worker" in page
    assert '<meta http-equiv="refresh"' not in page
    assert browser.get(SEARCH, headers=PART)["HX-Refresh"] == "true"
    heartbeat.beat("somebody")
    assert "Waiting its turn." in browser.get(DRAW).content.decode()
    DBTaskResult.objects.all().delete()
    page = browser.get(DRAW).content.decode()
    assert "The search has stopped" in page
    assert '<meta http-equiv="refresh"' not in page
    browser.post(SEARCH, {"step": "best"})
    assert Draw.objects.count() == 1


def test_the_best_so_far_can_be_seen_and_taken(event, actor, apart, browser):
    browser.post(DRAW, {"step": "make", "planned": 7, "seen": 0})
    heartbeat.beat("somebody")
    job = DrawJob.objects.get()
    DrawJob.objects.filter(pk=job.pk).update(steps=400_000)
    whole, part = browser.get(DRAW).content.decode(), browser.get(SEARCH, headers=PART).content.decode()
    assert '<meta http-equiv="refresh"' in whole
    assert "Counted over all 7 rounds planned" in whole
    assert "<html" not in part
    assert all("400,000 of 1,000,000" in shown for shown in (whole, part))
    best = rotation.from_data(job.best)
    for _tap in range(2):
        browser.post(SEARCH, {"step": "best"})
    draw = Draw.objects.get()
    assert engine_round(draw) == best[0]
    assert draw.statement["how"]["cut_short"]
    assert browser.get(SEARCH, headers=PART)["HX-Refresh"] == "true"
    work()  # the worker comes too late
    assert Draw.objects.count() == 1


def searched(monkeypatch, meanwhile):
    """Do what waits; whether the search goes on, each time that it tells of itself just after something was done."""
    usual, goes_on = rotation.search, []

    def search_watched(request, watch):
        def watched(progress, best):
            meanwhile()
            goes_on.append(watch(progress, best))
            return goes_on[-1]

        return usual(request, watched)

    monkeypatch.setattr(rotation, "search", search_watched)
    work()
    return goes_on


def test_a_search_writes_down_its_best_rounds(event, actor, apart, short, monkeypatch):
    begun(event, actor, **HARD)
    DrawJob.objects.update(best=[])
    assert all(searched(monkeypatch, lambda: None))
    kept = DrawJob.objects.get()
    assert 0 < kept.steps <= 60_000
    rounds = rotation.from_data(kept.best)
    assert find_faults(rounds, rotation.DrawRequest.from_data(kept.asked).people, everyone=True) == ()
    assert len(rounds) == 7


def test_a_search_ends_when_another_worker_has_taken_it_up(event, actor, apart, short, monkeypatch):
    """A worker that was only thought dead goes on searching while another begins again."""
    begun(event, actor, **HARD)
    assert searched(monkeypatch, lambda: DrawJob.objects.update(attempt=2)) == [False]
    assert not Draw.objects.exists()


def test_a_search_whose_task_fails_says_so_and_can_be_asked_for_again(event, actor, apart, short, browser):
    begun(event, actor, **HARD)
    asked = DrawJob.objects.get().asked
    DrawJob.objects.update(asked={**asked, "odd": "seven"})
    work()
    assert "The search broke off with a fault of the program" in browser.get(DRAW).content.decode()
    begun(event, actor, seen=0, **HARD)
    work()
    assert Draw.objects.count() == 1


def test_a_search_that_is_given_up_stops_and_saves_nothing(event, actor, apart, short, browser, monkeypatch):
    begun(event, actor, **HARD)
    assert searched(monkeypatch, lambda: browser.post(SEARCH, {"step": "stop"})) == [False]
    assert not Draw.objects.exists()
    assert making.search_view(event) is None


def test_a_round_published_meanwhile_makes_the_search_fail_with_a_word(event, actor, apart, short, browser):
    begun(event, actor, **HARD)
    publish_next(event, actor)
    work()
    assert Draw.objects.count() == 1
    assert "The rounds before it have changed since" in browser.get(DRAW).content.decode()
    browser.post(SEARCH, {"step": "stop"})
    assert "No draw was made" not in browser.get(DRAW).content.decode()


def test_who_comes_during_a_search_makes_its_draft_out_of_date(event, actor, apart, short):
    begun(event, actor, **HARD)
    arrive(event, actor, 19)
    work()
    assert why_stale(Draw.objects.get()) == "Player 19 came after this draw was made."


def test_a_closed_night_searches_nothing(event, actor, apart, short):
    begun(event, actor, **HARD)
    Event.objects.filter(pk=event.pk).update(state=Event.State.FINISHED)
    work()
    assert not Draw.objects.exists()
    with pytest.raises(StepRefused, match="closed"):
        begun(event, actor, **HARD)


def test_the_plan_goes_on_without_a_search(event, actor, short):
    begun(event, actor, **HARD)
    first = Draw.objects.get()
    publishing.publish_draw(draw=first, by=actor)
    publishing.close_round(round=first.round, by=actor, end_open=False)
    second = begun(event, actor, seen=0, **HARD)
    assert isinstance(second, Draw)
    assert rotation.to_data([engine_round(second)]) == first.ahead[:1]


def test_queries_do_not_grow_with_people(club, event, actor, apart, browser):
    begun(event, actor, **HARD)
    other = make_night(club, event.rules, slug="other", day=7)
    hard_to_draw(other, actor, 34)
    begun(other, actor, planned=9, odd="sit-out")
    assert queries_of(browser, DRAW) == queries_of(browser, DRAW.replace("friday", "other"))


def test_the_head_counts_the_tables_of_the_draw_that_is_searched(club, actor, rules_for, apart, browser):
    """Not those of another choice for the two who don't fit: here they make up a table of six."""
    event = make_night(club, rules_for("hand-and-foot"))
    hard_to_draw(event, actor, 18)
    assert "18 people are here: 4 tables, 2 sit out." in page_of(browser.get(DRAW))
    assert isinstance(begun(event, actor, planned=5, odd="six"), DrawJob)
    assert "18 people are here: 4 tables." in page_of(browser.get(DRAW))


@pytest.fixture
def friends(club, actor, rules):
    """Thirteen people, six of whom all wish to partner each other: five rounds can do, and lots don't find them."""
    event = make_night(club, rules)
    arrive(event, actor, 13)
    for one, other in combinations(event.entries.filter(number__lte=6), 2):
        add_wish(event=event, by=actor, wished=Wish(kind="once", entry=one, other=other))
    return event


def test_wishes_of_which_it_takes_long_to_say_are_left_to_the_task(friends, actor, apart, monkeypatch):
    """The web worker doesn't wait: what it can't say at once is said by the task."""
    monkeypatch.setattr(search, "SOON", 2)
    monkeypatch.setattr(models, "SEEDS", 1)  # with this one, 0, lots find nothing
    job = begun(friends, actor, planned=5, odd="sit-out")
    assert isinstance(job, DrawJob)
    assert waiting_runs() == [1]
    assert making.search_view(friends)["best"] is None
    work()
    assert all(outcome.met for outcome in rotation.stored_outcomes(Draw.objects.get().statement))


def test_a_refusal_by_the_task_names_all_wishes_that_collide(friends, actor, browser, monkeypatch):
    monkeypatch.setattr(search, "SOON", 2)
    begun(friends, actor, planned=4, odd="sit-out")
    page = browser.get(DRAW).content.decode()
    assert "No draw was made" in page
    assert page.count("are partners once") >= 5
    assert Draw.objects.count() == 0
