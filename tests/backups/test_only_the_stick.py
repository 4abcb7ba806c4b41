"""The laptop is lost: from the stick alone a site comes back, and phones open their tables by the codes on paper."""

import os
import re
import subprocess
import sys
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener

import pytest
from django.conf import settings
from django.db import connection

from clubsite.operations.backup import make_backup
from tests.backups.halls import evenings
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
    command = ["-m", "clubsite.command", "run", "--port", str(port)]
    with running(command, port=port, environment={**its, "VAR_DIR": str(laptop), "TASKS_APART": "off"}):
        phone = build_opener(HTTPCookieProcessor())
        site = f"http://127.0.0.1:{port}"
        with phone.open(f"{site}/t/{token}/") as by_qr_code:
            assert by_qr_code.status == 200
        where = f"{site}/hilary/events/{link.event.slug}/table/"
        with phone.open(where) as asked:
            (form,) = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', asked.read().decode())[:1]
        sent = urlencode({"csrfmiddlewaretoken": form, "code": code_of(link.nonce)}).encode()
        with phone.open(where, sent) as by_typed_code:
            assert by_typed_code.url == f"{site}/t/{token}/"


def test_without_the_key_the_printed_qr_code_still_opens_its_table(tmp_path, stick):
    evenings()
    backup = alone(lambda: make_backup(stick))
    link = alone(lambda: TableLink.objects.filter(event__club__slug="hilary").first())
    laptop = tmp_path / "laptop"
    assert manage(laptop, "restore", "--yes", str(backup.path)).returncode == 0
    phone = "from django.test import Client; phone = Client(SERVER_NAME='localhost')"
    opens = f"{phone}; print(phone.get('/t/{token_of(link.nonce)}/').status_code)"
    assert manage(laptop, "shell", "-c", opens).stdout.splitlines()[-1] == "200"
