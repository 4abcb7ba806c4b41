"""What the command `nine-tables` makes of its switches: what the settings read then, and what it refuses."""

from ipaddress import ip_address

import pytest

from clubsite.command import make_parser, write_environment
from clubsite.serving.addresses import hall_address, machine_names
from clubsite.serving.web import CannotServe, read_place


def started(*line, **environment):
    """The environment after `nine-tables` and these words."""
    write_environment(make_parser().parse_args(line), environment)
    return environment


def test_a_laptop_listens_to_itself_alone():
    environment = started("run")
    assert read_place(environment).url == "http://127.0.0.1:8000/"
    assert environment["SERVED_DIRECTLY"] == environment["STATIC_BUILT"] == "on"
    assert not {"ALLOWED_HOSTS", "SITE_URL", "HTTPS", "HALL"} & environment.keys()


def test_host_and_port_come_from_the_environment_and_the_line_goes_first():
    assert read_place(started("run", HOST="127.0.0.2", PORT="8010")).url == "http://127.0.0.2:8010/"
    assert read_place(started("run", "--port", "8020", PORT="8010")).url == "http://127.0.0.1:8020/"


def test_in_a_hall_phones_are_let_in_once_the_site_is_served():
    environment = started("run", "--hall")
    assert environment["HALL"] == "on"
    assert not {"ALLOWED_HOSTS", "SITE_URL", "HOST"} & environment.keys()


def test_who_has_a_certificate_is_led_to_a_proxy():
    with pytest.raises(CannotServe, match="Caddy"):
        read_place({"TLS_CERTIFICATE": "hall.pem", "TLS_KEY": "hall.key"})


def test_the_web_alone_of_a_host_trusts_no_visitor_for_coming_over_loopback():
    assert "SERVED_DIRECTLY" not in started("web")


def test_this_machines_address_is_one_that_others_can_use():
    found = hall_address()
    assert not found or not (ip_address(found).is_loopback or ip_address(found).is_unspecified)
    assert all("." not in name.removesuffix(".local") for name in machine_names())
