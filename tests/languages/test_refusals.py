"""Pages that refuse: in the other language by one press, without a query at a fault's."""

import pytest
from django.test import RequestFactory
from django.urls import reverse
from django.views.defaults import server_error

from tests.pages import page_of

BUTTON = 'name="language" value="es"'


@pytest.mark.django_db
def test_what_the_doorway_refuses_has_the_button(client):
    for answer in (client.put("/"), client.get(f"/{'a' * 3000}/"), client.get("/no-such-page/")):
        assert answer.status_code in (404, 405, 414)
        assert BUTTON in page_of(answer)


def test_a_refused_post_leads_back_to_where_it_was_sent_from(club, scorekeeper, client_of):
    browser, came = client_of(scorekeeper), f"http://testserver{reverse('desk', args=[club.slug])}"
    answer = browser.post(reverse("event_new", args=[club.slug]), {}, headers={"Referer": came})
    assert answer.status_code in (403, 404)
    assert f'name="next" value="{came}"' in page_of(answer)
    there = browser.post(reverse("language"), {"language": "es", "next": came})
    assert there["Location"] == came
    assert '<html lang="es' in page_of(browser.get(came))


@pytest.mark.django_db
def test_the_page_of_a_fault_asks_nothing(django_assert_num_queries):
    request = RequestFactory().get("/")
    with django_assert_num_queries(0):
        assert BUTTON in server_error(request).content.decode()
