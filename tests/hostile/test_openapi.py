"""What programs can ask, tried with Schemathesis by the description that the site itself gives out.

It makes requests that are right and requests that are wrong, by the schemas; every answer must be one that is
described, and none a fault of the site.
"""

from datetime import date

import jsonschema
import pytest
import schemathesis
from django.test import Client
from hypothesis import HealthCheck, given, strategies as st
from schemathesis.generation import GenerationMode

from tests.examples import examples
from tests.hostile.test_forms import counts
from tests.tournaments import results
from tournaments.exports.published import openapi
from tournaments.seasons.actions import create_season


@pytest.fixture
def visitor(client_of, scorekeeper):
    return client_of(scorekeeper)


@pytest.fixture
def published(club, actor, rules_for):
    day = date(2054, 9, 1)
    season = create_season(club=club, by=actor, name="Winter", starts=day, ends=day.replace(year=2055))
    night = results.closed_night(season, rules_for("st-hilary-v3"), 2, {"Player 01": 9, "Player 02": -3})
    return {"club": club.slug, "event": night.slug, "season": season.pk}


def operations():
    for found in schemathesis.openapi.from_dict(openapi()).get_all_operations():
        yield found.ok()


def asked(visitor, case):
    sent = case.as_transport_kwargs(base_url="http://testserver")
    path = sent["url"].removeprefix("http://testserver")
    headers = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in (sent.get("headers") or {}).items()}
    for ours in ("HTTP_ACCEPT_ENCODING", "HTTP_CONTENT_TYPE", "HTTP_COOKIE", "HTTP_X_CSRFTOKEN"):
        headers.pop(ours, None)
    query = {name: value for name, value in (sent.get("params") or {}).items() if value is not None}
    return visitor.get(path, query, **headers)


def held_to(operation, answer):
    described = operation.definition.raw["responses"]
    assert str(answer.status_code) in described, answer.content[:300]
    for kind, content in described[str(answer.status_code)].get("content", {}).items():
        assert answer["Content-Type"].startswith(kind)
        whole = {**content["schema"], "components": openapi()["components"]}
        jsonschema.validate(answer.json(), whole, cls=jsonschema.Draft202012Validator)


def test_the_description_is_served(visitor, club):
    assert visitor.get("/data/openapi.json").json() == openapi()


def test_published_pages_are_as_described(visitor, published):
    for operation in operations():
        path = operation.path.format(**published)
        held_to(operation, visitor.get(path))
        held_to(operation, Client().get(path))


@pytest.mark.proof
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_whatever_is_asked_gets_an_answer_that_is_described(visitor, published, mode, tried):
    before, made = counts(), 0

    def each(data):
        nonlocal made
        operation = data.draw(st.sampled_from(list(operations())), label="operation")
        case = data.draw(operation.as_strategy(generation_mode=mode))
        for name, value in published.items():
            if name in (case.path_parameters or {}) and data.draw(st.booleans()):
                case.path_parameters[name] = value
        answer = asked(visitor, case)
        assert answer.status_code < 500
        if mode == GenerationMode.POSITIVE:
            held_to(operation, answer)
        made += 1

    examples(12, unchecked=list(HealthCheck))(given(st.data())(each))()
    assert counts() == before
    tried(made)
