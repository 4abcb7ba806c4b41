"""From where a request comes: nothing that it says itself is believed, unless the host says that a proxy wrote it."""

import pytest
from django.test import RequestFactory

from clubsite.addresses import address_of, network_of
from clubsite.settings import proxies_in

PROXY, VISITOR, FORGED = "10.0.0.1", "203.0.113.9", "198.51.100.66"


@pytest.mark.parametrize(
    ("proxies", "said", "found"),
    [
        (0, VISITOR, PROXY),
        (0, f"{FORGED}, {VISITOR}", PROXY),
        (1, VISITOR, VISITOR),
        (1, f"{FORGED}, {VISITOR}", VISITOR),
        (True, f"{FORGED},{VISITOR}:4711", VISITOR),
        (2, f"{FORGED}, {VISITOR}, 10.0.0.2", VISITOR),
        (2, f"{VISITOR}", VISITOR),  # came past one of them
        (1, "", PROXY),
        (1, "nonsense", PROXY),
        (1, "2001:db8:1:2::7", "2001:db8:1:2::7"),
    ],
)
def test_the_address_is_what_ones_own_proxies_say(settings, proxies, said, found):
    settings.BEHIND_PROXY = proxies
    assert address_of(RequestFactory().get("/", REMOTE_ADDR=PROXY, HTTP_X_FORWARDED_FOR=said)) == found


def test_one_machine_has_one_network_however_many_addresses_it_takes():
    many = {network_of(RequestFactory().get("/", REMOTE_ADDR=f"2001:db8:1:2::{n:x}")) for n in range(50)}
    assert len(many) == 1


@pytest.mark.parametrize(("said", "proxies"), [("on", 1), ("off", 0), ("2", 2), ("0", 0), ("True", 1)])
def test_the_host_says_how_many_proxies_there_are(said, proxies):
    assert proxies_in(said) == proxies
