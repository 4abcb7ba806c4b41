"""The laptop is lost: from the stick alone a site comes back, and phones open their tables by the codes on paper."""

import os
import re
import subprocess
import sys
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener

import pytest
from django.conf import settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.db import connection
from django.test import Client
from django.urls import reverse
from django_otp.plugins.otp_totp.models import TOTPDevice

from clubsite.accounts.invitations import invite_person, shown_code
from clubsite.accounts.models import Club, Role, User
from clubsite.accounts.two_factor import new_paper
from clubsite.operations.backup import make_backup, to_take_along
from tests.backups.halls import DORA, evenings
from tests.conftest import PASSWORD
from tests.scoring.cards.test_race import alone
from tests.served import free_port, running
from tournaments.models import TableLink
from tournaments.table_links.links import code_of, token_of

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("real_database"),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="the database is a file of the laptop"),
]


def manage(folder, *command, **environment):
    return subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=settings.BASE_DIR,
        env={**os.environ, "VAR_DIR": str(folder), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_phone_opens_its_table_on_the_next_laptop_by_the_printed_code(tmp_path, stick):
    evenings()
    alone(lambda: make_backup(stick))
    link = alone(lambda: TableLink.objects.filter(event__club__slug="hilary").select_related("event").first())
    laptop = tmp_path / "laptop"
    its = {"BACKUPS_ALSO_TO": str(stick), "SECRET_KEY": settings.SECRET_KEY}  # a copy of the key is kept apart

    restored = manage(laptop, "restore", "--yes", **its)
    assert restored.returncode == 0, restored.stderr
    assert "sam.hilary: scorekeeper, Hilary" in restored.stdout, "who may come in is said before"

    port, token = free_port(), token_of(link.nonce)
    command = ["-m", "clubsite.command", "run", "--no-browser", "--port", str(port)]
    with running(command, port=port, environment={**its, "VAR_DIR": str(laptop), "TASKS_APART": "off"}):
        phone = build_opener(HTTPCookieProcessor())
        site = f"http://127.0.0.1:{port}"
        with phone.open(f"{site}/t/{token}/") as by_qr_code:
            assert by_qr_code.status == 200
        where = f"{site}/hilary/events/{link.event.slug}/table/"
        assert sends(phone, where, code=code_of(link.nonce)) == f"{site}/t/{token}/"


def sends(browser, address, **fields):
    """The address of the page that comes after this form is sent."""
    with browser.open(address) as asked:
        (mark,) = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', asked.read().decode())[:1]
    with browser.open(address, urlencode({"csrfmiddlewaretoken": mark, **fields}).encode()) as answer:
        return answer.url


def test_everything_taken_along_opens_on_the_next_laptop(tmp_path, folder):
    """Log-ins, second factors, printed codes and links, in a folder that has another key."""

    def here():
        club, _other = evenings()
        owner = User.objects.create_superuser("olga")
        owner.password = PBKDF2PasswordHasher().encode(PASSWORD, "salt")  # tests have a faster one of their own
        owner.save()
        TOTPDevice.objects.create(user=owner, confirmed=True)
        paper = new_paper(user=owner)
        invited = shown_code(invite_person(club=club, by=DORA, name="Nora", kind=Role.Kind.MEMBER))
        browser = Client()
        browser.force_login(owner)
        return paper[0], invited, b"".join(browser.post(reverse("everything")).streaming_content)

    paper, invited, taken = alone(here)
    link = alone(lambda: TableLink.objects.filter(event__club__slug="hilary").select_related("event").first())
    file, laptop = tmp_path / "everything.backup", tmp_path / "laptop"
    file.write_bytes(taken)
    restored = manage(laptop, "restore", "--yes", str(file))
    assert restored.returncode == 0, restored.stderr
    assert (laptop / "secret-key").read_text() == settings.SECRET_KEY
    assert not list(laptop.glob("secret-key?*")), "nothing is put aside where nothing was"

    newer = alone(lambda: club_renamed(folder))  # after the file was taken along, and kept on the stick alone
    restored = manage(laptop, "restore", "--yes", str(newer))
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
        with phone.open(f"{site}/t/{token_of(link.nonce)}/") as by_qr_code:
            assert by_qr_code.status == 200
        where = f"{site}/hilary/events/{link.event.slug}/table/"
        assert sends(phone, where, code=code_of(link.nonce)) == f"{site}/t/{token_of(link.nonce)}/"


def club_renamed(folder):
    Club.objects.filter(slug="hilary").update(name="Hilary the Younger")
    return make_backup(folder).path


def test_where_a_site_was_its_key_is_put_aside(tmp_path, folder):
    alone(evenings)
    file, laptop = tmp_path / "everything.backup", tmp_path / "laptop"
    with alone(lambda: to_take_along(make_backup(folder))) as taken:
        file.write_bytes(taken.read())
    assert manage(laptop, "migrate", "--verbosity", "0").returncode == 0
    before = (laptop / "secret-key").read_text()
    assert manage(laptop, "restore", "--yes", str(file)).returncode == 0
    assert (laptop / "secret-key").read_text() == settings.SECRET_KEY
    assert [place.read_text() for place in laptop.glob("secret-key-before-*")] == [before]
    assert "SECRET_KEY is set here" in manage(laptop, "restore", "--yes", str(file), SECRET_KEY="other").stdout


def test_without_the_key_the_printed_qr_code_still_opens_its_table(tmp_path, stick):
    evenings()
    backup = alone(lambda: make_backup(stick))
    link = alone(lambda: TableLink.objects.filter(event__club__slug="hilary").first())
    laptop = tmp_path / "laptop"
    assert manage(laptop, "restore", "--yes", str(backup.path)).returncode == 0
    phone = "from django.test import Client; phone = Client(SERVER_NAME='localhost')"
    opens = f"{phone}; print(phone.get('/t/{token_of(link.nonce)}/').status_code)"
    assert manage(laptop, "shell", "-c", opens).stdout.splitlines()[-1] == "200"
