"""Production settings: `check --deploy` has nothing to say, cookies are secure, the content policy is strict."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    "/",
    "/login/",
    "/st-hilary/",
    "/st-hilary/events/",
    "/st-hilary/people/",
    "/st-hilary/log/",
    "/nowhere/at/all/",
]


def manage(tmp_path, *arguments, **production):
    """manage.py with nothing but these variables set."""
    variables = {"PATH": os.environ["PATH"], "VAR_DIR": str(tmp_path), **production}
    return subprocess.run(
        [sys.executable, "manage.py", *arguments], cwd=ROOT, env=variables, capture_output=True, text=True, check=False
    )


def test_a_deployed_site_has_no_warning(tmp_path):
    key = "a-key-long-enough-and-made-of-many-Different-letters-0123456789-XyZ"
    production = {"SECRET_KEY": key, "ALLOWED_HOSTS": "cards.example", "HTTPS": "on"}
    done = manage(tmp_path, "check", "--deploy", "--fail-level", "WARNING", **production)
    assert (done.returncode, "no issues" in done.stdout) == (0, True), done.stderr


@pytest.mark.proof
def test_without_https_the_check_does_warn(tmp_path):
    done = manage(tmp_path, "check", "--deploy", "--fail-level", "WARNING")
    assert done.returncode != 0
    assert "security.W" in done.stderr


@pytest.mark.proof
def test_the_key_of_a_laptop_is_its_own_and_nobody_elses_to_read(tmp_path):
    manage(tmp_path, "check")
    key = tmp_path / "secret-key"
    first = key.read_text()
    assert len(first) > 50
    assert key.stat().st_mode & 0o077 == 0
    manage(tmp_path, "check")
    assert key.read_text() == first


@pytest.mark.parametrize("page", PAGES)
def test_every_page_has_the_strict_content_policy_and_holds_nothing_that_it_forbids(browser, page):
    answer = browser.get(page)
    policy = answer["Content-Security-Policy"]
    rules = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert rules["default-src"] == "'self'"
    assert rules["frame-ancestors"] == rules["object-src"] == rules["base-uri"] == "'none'"
    assert rules["form-action"] == "'self'"
    assert "unsafe" not in policy
    assert not {"script-src", "style-src"} & rules.keys()  # so both are default-src: nothing inline
    inline = r"<style|\sstyle=|\son[a-z]+=|javascript:|<script(?![^>]*\ssrc=)"
    assert not re.search(inline, answer.content.decode())
