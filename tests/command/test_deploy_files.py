"""The examples for hosts: read by the programs that they are for, where these are installed."""

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from string import Template

import pytest

from clubsite.paths import BASE_DIR

DEPLOY = BASE_DIR / "docs" / "deploy"
UNITS = sorted(DEPLOY.glob("*.service"))


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd isn't here")
def test_systemd_finds_nothing_wrong_with_the_units(tmp_path):
    copies = []
    for unit in UNITS:
        copies.append(tmp_path / unit.name)
        copies[-1].write_text(unit.read_text().replace("/opt/nine-tables/bin/nine-tables", "/bin/true"))
    told = subprocess.run(["systemd-analyze", "verify", *copies], capture_output=True, text=True, check=False)
    assert (told.returncode, [line for line in told.stderr.splitlines() if "nine-tables" in line]) == (0, [])


@pytest.mark.skipif(not shutil.which("docker-compose"), reason="Compose isn't here")
@pytest.mark.parametrize("services", [{"caddy", "site", "worker"}, {"caddy", "postgres", "site", "worker"}], ids=len)
def test_compose_finds_nothing_wrong_with_its_file(services):
    variables = {"PATH": os.environ["PATH"], "SITE_NAME": "cards.example.org", "DATABASE_PASSWORD": "secret"}
    if "postgres" in services:
        variables["COMPOSE_PROFILES"] = "postgres"
    call = ["docker-compose", "--file", str(DEPLOY / "compose.yaml"), "config", "--services"]
    answer = subprocess.run(call, env=variables, capture_output=True, text=True, check=True)
    assert (set(answer.stdout.split()), answer.stderr) == (services, "")


def test_an_image_is_built_from_all_that_a_wheel_brings():
    """Each COPY is named, so that neither data nor .venv can get into an image."""
    copied = re.findall(r"^COPY (\S+) \S+$", (DEPLOY / "Containerfile").read_text(), re.MULTILINE)
    wheel = tomllib.loads((BASE_DIR / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = {name.split("/")[0] for name in [*wheel["packages"], *wheel["force-include"]]}
    assert needed <= set(copied)
    let_in = set(re.findall(r"^!(\S+)$", (BASE_DIR / ".containerignore").read_text(), re.MULTILINE))
    assert set(copied) <= let_in


@pytest.mark.skipif(not shutil.which("caddy"), reason="Caddy isn't here")
def test_caddy_can_read_its_file():
    call = ["caddy", "validate", "--adapter", "caddyfile", "--config", str(DEPLOY / "Caddyfile")]
    told = subprocess.run(call, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr


def test_the_units_start_what_the_wheel_installs():
    project = tomllib.loads((BASE_DIR / "pyproject.toml").read_text())["project"]
    started = {Path(call).name for unit in UNITS for call in re.findall(r"Exec\w+=(\S+)", unit.read_text())}
    assert started == set(project["scripts"]) == {"nine-tables"}


def test_the_extra_for_postgresql_is_what_the_lock_holds():
    pyproject = tomllib.loads((BASE_DIR / "pyproject.toml").read_text())
    assert pyproject["project"]["optional-dependencies"]["postgres"] == pyproject["dependency-groups"]["postgres"]


@pytest.mark.parametrize("name", ["etcd.conf.yml", "patroni.yml", "haproxy.cfg", "environment"])
def test_every_blank_of_a_template_is_explained(name):
    """What a public host has to fill in stands in docs/hosting.md."""
    blanks = set(Template((DEPLOY / "cluster" / name).read_text(encoding="utf-8")).get_identifiers())
    explained = (BASE_DIR / "docs" / "hosting.md").read_text(encoding="utf-8")
    assert {blank for blank in blanks if f"`${blank}`" not in explained} == set()
