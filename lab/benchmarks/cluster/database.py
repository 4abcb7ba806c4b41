"""The database of several hosts: etcd, two PostgreSQL under Patroni, and HAProxy, from docs/deploy/cluster."""

import json
import os
import secrets
import socket
import subprocess
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from django.conf import settings

from lab.benchmarks.cluster.parts import (
    ADDRESS,
    POSTGRES,
    TrialFolder,
    TrialProcess,
    kill,
    process_tree,
    response_status,
    wait_until,
)

PATIENCE = 90.0  # seconds for a start, on a machine that has much else to do
DEPLOY = "docs/deploy/cluster"
NODES = ("one", "two")


class NoAnswer(Exception):
    """The database didn't answer; the text says what psql did."""


@dataclass(slots=True)
class Node:
    """One host of the database: Patroni, and the PostgreSQL that it runs."""

    name: str
    port: int
    rest: int
    data: Path
    config: Path
    patroni: TrialProcess | None = None

    def postgres(self) -> list[int]:
        with suppress(OSError, ValueError, IndexError):
            pid = int((self.data / "postmaster.pid").read_text().splitlines()[0])
            if Path(f"/proc/{pid}").exists():
                return process_tree(pid)
        return []


@dataclass(slots=True)
class Database:
    """Both hosts of the database, and the proxy in front of them."""

    bench: TrialFolder
    password: str
    nodes: tuple[Node, Node]
    ports: dict[str, int]
    proxy: TrialProcess | None = None

    def query(
        self, query: str, *, port: int | None = None, user: str = "cards", name: str = "nine_tables"
    ) -> list[str]:
        """The lines of a query's answer, with "|" between columns: through the proxy or, with `port`, from one host.

        Raises:
            NoAnswer: the database doesn't answer.
        """
        where = ["-h", ADDRESS, "-p", str(port or self.ports["database_port"]), "-U", user, "-d", name]
        done = subprocess.run(
            [str(POSTGRES / "psql"), *where, "-XAt", "-v", "ON_ERROR_STOP=1", "-c", query],
            env={"PATH": os.environ["PATH"], "PGPASSWORD": self.password, "PGCONNECT_TIMEOUT": "3"},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise NoAnswer(done.stderr.strip())
        return done.stdout.splitlines()

    def roles(self) -> dict[str, str]:
        """What each host that answers is now, as Patroni says: "master" or "primary", "sync_standby", "replica"."""
        for node in self.nodes:
            with suppress(OSError, HTTPException, ValueError, KeyError):
                asked = HTTPConnection(ADDRESS, node.rest, timeout=2)
                asked.request("GET", "/cluster")
                members = json.loads(asked.getresponse().read())["members"]
                return {member["name"]: member["role"] for member in members if member["state"] in RUNNING}
        return {}

    def primary(self) -> Node | None:
        for node in self.nodes:
            if response_status(node.rest, "/primary", patience=2) == 200:
                return node
        return None

    def is_whole(self) -> bool:
        roles = set(self.roles().values())
        return bool(roles & {"leader", "master", "primary"}) and "sync_standby" in roles and self.primary() is not None

    def start_proxy(self) -> None:
        config = str(self.bench.folder / "haproxy.cfg")
        self.proxy = self.bench.start("haproxy", ["/usr/sbin/haproxy", "-f", config], unprivileged=True)

    def start_node(self, node: Node) -> None:
        node.patroni = self.bench.start(
            f"patroni-{node.name}", ["/usr/bin/patroni", str(node.config)], unprivileged=True
        )

    def kill_host(self, node: Node) -> None:
        kill([*(node.patroni.pids if node.patroni else []), *node.postgres()])


RUNNING = ("running", "streaming")


def free_ports(count: int) -> list[int]:
    with ExitStack() as opened:
        sockets = [opened.enter_context(socket.create_server(("127.0.0.1", 0))) for _n in range(count)]
        return [int(one.getsockname()[1]) for one in sockets]


def start(bench: TrialFolder, *, host: str) -> Database:
    """Start all of it, with an empty database; `host` is the host name with which the proxy asks web hosts for a page.

    Raises:
        NotInTime: a part doesn't come up.
    """
    names = ("one_port", "two_port", "one_rest", "two_rest", "database_port", "web_port", "first_web", "second_web")
    client, peer, *rest = free_ports(2 + len(names))
    ports = dict(zip(names, rest, strict=True))
    templates, password = Path(settings.BASE_DIR) / DEPLOY, secrets.token_hex(12)
    home = bench.make_folder("hosts")
    words = {"address": ADDRESS, "password": password, "folder": home, "bin": POSTGRES, "network": f"{ADDRESS}/32"}
    etcd = bench.fill_in(
        templates / "etcd.conf.yml", "etcd.conf.yml", **words, name="etcd", client_port=client, peer_port=peer
    )
    bench.start("etcd", ["/usr/bin/etcd", "--config-file", str(etcd)], unprivileged=True)
    nodes = []
    for name in NODES:
        port, asked = ports[f"{name}_port"], ports[f"{name}_rest"]
        config = bench.fill_in(
            templates / "patroni.yml",
            f"patroni-{name}.yml",
            **words,
            name=name,
            port=port,
            rest_port=asked,
            etcd=f"{ADDRESS}:{client}",
        )
        node = Node(name, port, asked, home / name / "data", config)
        bench.besides.append(node.postgres)
        nodes.append(node)
    bench.fill_in(templates / "haproxy.cfg", "haproxy.cfg", address=ADDRESS, host=host, **ports)
    database = Database(bench, password, (nodes[0], nodes[1]), ports)
    for node in nodes:
        database.start_node(node)
    database.start_proxy()
    wait_until(database.is_whole, seconds=PATIENCE, what="A primary and its standby came up")
    for statement in (f"CREATE ROLE cards LOGIN PASSWORD '{password}'", "CREATE DATABASE nine_tables OWNER cards"):
        database.query(statement, user="postgres", name="postgres")
    return database
