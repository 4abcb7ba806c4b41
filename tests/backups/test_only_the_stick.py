"""The laptop is lost: from the stick alone a site comes back, and phones open their tables by the codes on paper."""

import re
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener

import pytest
from django.conf import settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.db import connection
from django.test import Client
from django.urls import reverse
from django_otp.plugins.otp_totp.models import TOTPDevice

from clubsite.accounts.invitations import invitation_code, invite_person
from clubsite.accounts.models import Club, Role, User
from clubsite.accounts.two_factor import make_paper_codes
from clubsite.operations.backup import make_backup
from clubsite.operations.management.commands.restore import store_key
from tests.backups.halls import DORA, evenings
from tests.conftest import PASSWORD
from tests.scoring.cards.test_race import alone
from tests.served import free_port, manage, running
from tournaments.models import TableLink
from tournaments.table_links.links import make_code, make_token

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("real_database"),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="the database is a file of the laptop"),
]


def sends(browser, address, **fields):
    """The address of the page that comes after this form is sent."""
    with browser.open(address) as asked:
        (mark,) = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', asked.read().decode())[:1]
    with browser.open(address, urlencode({"csrfmiddlewaretoken": mark, **fields}).encode()) as answer:
        return answer.url


def test_everything_taken_along_opens_on_the_next_laptop(tmp_path, folder, stick):
    """Log-ins, second factors, printed codes and links, in a folder that has another key; then what the stick has."""

    def here():
        club, _other = evenings()
        owner = User.objects.create_superuser("olga")
        owner.password = PBKDF2PasswordHasher().encode(PASSWORD, "salt")  # tests have a faster one of their own
        owner.save()
        TOTPDevice.objects.create(user=owner, confirmed=True)
        paper = make_paper_codes(user=owner)
        invited = invitation_code(invite_person(club=club, by=DORA, name="Nora", kind=Role.Kind.MEMBER))
        browser = Client()
        browser.force_login(owner)
        return paper[0], invited, b"".join(browser.post(reverse("everything")).streaming_content)

    paper, invited, taken = alone(here)
    link = alone(lambda: TableLink.objects.filter(event__club__slug="hilary").select_related("event").first())
    file, laptop = tmp_path / "everything.backup", tmp_path / "laptop"
    file.write_bytes(taken)
    restored = manage(laptop, "restore", "--yes", str(file))
    assert restored.returncode == 0, restored.stderr
    assert "log-ins" in restored.stdout, "who may come in is said before"
    assert (laptop / "secret-key").read_text() == settings.SECRET_KEY
    assert not list(laptop.glob("secret-key?*")), "nothing is put aside where nothing was"

    alone(lambda: club_renamed(stick))  # after the file was taken along
    restored = manage(laptop, "restore", "--yes", BACKUPS_ALSO_TO=str(stick))
    assert restored.returncode == 0, restored.stderr
    assert (laptop / "secret-key").read_text() == settings.SECRET_KEY

    port = free_port()
    site = f"http://127.0.0.1:{port}"
    command = ["-m", "clubsite.command", "run", "--port", str(port)]
    with running(command, port=port, environment={"VAR_DIR": str(laptop), "TASKS_APART": "off"}):
        owner, nora, phone = (build_opener(HTTPCookieProcessor()) for _person in range(3))
        asked = sends(owner, f"{site}/login/?next=/backups/", username="olga", password=PASSWORD)
        assert asked.startswith(f"{site}/login/factor/")
        sends(owner, asked, code=paper)
        with owner.open(f"{site}/backups/") as page:
            assert page.url == f"{site}/backups/"
        with owner.open(f"{site}/hilary/") as page:
            assert "Hilary the Younger" in page.read().decode()
        assert sends(nora, f"{site}/login/invitation/", code=invited) == f"{site}/login/invitation/{invited}/"
        with phone.open(f"{site}/t/{make_token(link.nonce)}/") as by_qr_code:
            assert by_qr_code.status == 200
        where = f"{site}/hilary/events/{link.event.slug}/table/"
        assert sends(phone, where, code=make_code(link.nonce)) == f"{site}/t/{make_token(link.nonce)}/"


def club_renamed(folder):
    Club.objects.filter(slug="hilary").update(name="Hilary the Younger")
    make_backup(folder)


def test_where_a_site_was_its_key_is_put_aside(tmp_path, settings, monkeypatch):
    settings.VAR_DIR = tmp_path
    key = tmp_path / "secret-key"
    key.write_text("of this laptop")
    store_key("taken along", put_aside=True)
    assert key.read_text() == "taken along"
    assert [place.read_text() for place in tmp_path.glob("secret-key-before-*")] == ["of this laptop"]
    monkeypatch.setenv("SECRET_KEY", "of the system")
    assert "SECRET_KEY is set here" in store_key("another", put_aside=True)
    assert key.read_text() == "taken along"
