"""What the command `nine-tables` makes of its switches: what the settings read then, and what it refuses."""

from ipaddress import ip_address

import pytest

from clubsite.command import Wrong, parser, write_environment
from clubsite.serving.addresses import hall_address, names_here
from clubsite.serving.web import CannotServe, place_from


def started(*line, here="192.168.1.20", **environment):
    """The environment after `nine-tables` and these words, on a machine with this address."""
    write_environment(parser().parse_args(line), environment, here=here)
    return environment


def test_a_laptop_listens_to_itself_alone():
    environment = started("run")
    assert place_from(environment).url == "http://127.0.0.1:8000/"
    assert environment["SERVED_DIRECTLY"] == environment["STATIC_BUILT"] == "on"
    assert not {"ALLOWED_HOSTS", "SITE_URL", "HTTPS", "HALL"} & environment.keys()


def test_host_and_port_come_from_the_environment_and_the_line_goes_first():
    assert place_from(started("run", HOST="127.0.0.2", PORT="8010")).url == "http://127.0.0.2:8010/"
    assert place_from(started("run", "--port", "8020", PORT="8010")).url == "http://127.0.0.1:8020/"


def test_in_a_hall_codes_lead_to_the_address_that_phones_reach():
    environment = started("run", "--hall", "--port", "8020")
    assert (environment["HOST"], environment["SITE_URL"]) == ("0.0.0.0", "http://192.168.1.20:8020")  # noqa: S104
    assert {"192.168.1.20", "127.0.0.1", "localhost"} <= set(environment["ALLOWED_HOSTS"].split(","))
    assert "*" not in environment["ALLOWED_HOSTS"]


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])  # noqa: S104  (told)
def test_an_address_that_means_every_network_is_on_no_code(host):
    environment = started("run", "--hall", "--host", host)
    assert (environment["HOST"], environment["SITE_URL"]) == (host, "http://192.168.1.20:8000")


def test_a_hall_with_a_name_of_its_own_keeps_it():
    environment = started("run", "--hall", SITE_URL="https://cards.example.org")
    assert environment["SITE_URL"] == "https://cards.example.org"
    assert "cards.example.org" in environment["ALLOWED_HOSTS"].split(",")


def test_a_hall_without_a_network_is_told_so():
    with pytest.raises(Wrong, match="connect it to the hall's Wi-Fi"):
        started("run", "--hall", here="")


def test_who_has_a_certificate_is_led_to_a_proxy():
    with pytest.raises(CannotServe, match="Caddy"):
        place_from({"TLS_CERTIFICATE": "hall.pem", "TLS_KEY": "hall.key"})


def test_the_web_alone_of_a_host_trusts_no_visitor_for_coming_over_loopback():
    assert "SERVED_DIRECTLY" not in started("web")


def test_this_machines_address_is_one_that_others_can_use():
    found = hall_address()
    assert not found or not (ip_address(found).is_loopback or ip_address(found).is_unspecified)
    assert all("." not in name.removesuffix(".local") for name in names_here())
