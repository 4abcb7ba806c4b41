"""How large tables are, and what is gained if a club's rows lie together, as in PostgreSQL's partitions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from time import perf_counter
from typing import Any

from django.db import connection

from clubsite.accounts.models import Club
from lab.benchmarks.scale.plans import asked, done, explained

PARTS = 16


def table_sizes() -> list[tuple[Any, ...]]:
    """The tables of more than a megabyte, the largest first: name, rows, and megabytes of it and of its indexes."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.relname, c.reltuples::bigint, "
            "pg_table_size(c.oid) / 1048576.0, pg_indexes_size(c.oid) / 1048576.0 "
            "FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
            "WHERE n.nspname = 'public' AND c.relkind = 'r' "
            "AND pg_total_relation_size(c.oid) > 1048576 ORDER BY pg_total_relation_size(c.oid) DESC"
        )
        found: list[tuple[Any, ...]] = cursor.fetchall()
    return found


def ways_of_keeping(*, club: int, event: int, clubs: int, say: Callable[[str], None]) -> list[Sequence[str]]:
    """Read one night's and one club's points from the table as it is, sorted by club, and in partitions by club.

    Every way has the points of the same `clubs` clubs, with the club in each row as the leading column of its key.
    Returns for each way its name, the megabytes, the seconds that making it took, and blocks of 8 kB and milliseconds
    for the night and for the whole club.
    """
    ways: list[Sequence[str]] = []
    one_in = max(Club.objects.count() // clubs, 1)
    picked = f"AND (game.club_id = {club} OR abs(hashint8(game.club_id)) % {one_in} = 0)"
    source = f"SELECT game.club_id, deal.game_id, point.* {FROM} WHERE true {picked}"
    games = GAMES.format(event=event)
    night = f"SELECT sum(points) FROM {{table}} WHERE club_id = {club} AND game_id IN ({games})"
    whole = f"SELECT sum(points) FROM {{table}} WHERE club_id = {club}"
    for name, table, statements in WAYS:
        began = perf_counter()
        done(*(statement.format(table=table, source=source) for statement in statements), f"ANALYZE {table}")
        took = perf_counter() - began
        read, all_of_it = _read(night.format(table=table)), _read(whole.format(table=table))
        ways.append((name, f"{_megabytes(table):,.0f}", f"{took:.0f}", *read, *all_of_it))
        say(f"  {name}: {took:.0f} s")
    return ways


GAMES = """
SELECT played.game_id FROM tournaments_groupgame played JOIN tournaments_group g ON g.id = played.group_id
JOIN tournaments_table t ON t.id = g.table_id JOIN tournaments_draw d ON d.id = t.draw_id
JOIN tournaments_round r ON r.id = d.round_id JOIN tournaments_stage s ON s.id = r.stage_id WHERE s.event_id = {event}
"""
FROM = (
    "FROM scoring_points point JOIN scoring_dealversion version ON version.id = point.version_id "
    "JOIN scoring_deal deal ON deal.id = version.deal_id JOIN scoring_game game ON game.id = deal.game_id"
)
KEY = "ALTER TABLE {table} ADD PRIMARY KEY (club_id, game_id, id)"
WAYS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (
        "as the clubs wrote them, one table",
        "tried_scattered",
        ("CREATE TABLE {table} AS {source} ORDER BY point.id % 1000000, point.id", KEY),
    ),
    (
        "one table, rows sorted by club once (CLUSTER)",
        "tried_sorted",
        ("CREATE TABLE {table} AS {source} ORDER BY game.club_id, deal.game_id, point.id", KEY),
    ),
    (
        f"{PARTS} partitions by club (PARTITION BY HASH)",
        "tried_parts",
        (
            "CREATE TABLE {table} (club_id bigint NOT NULL, game_id bigint NOT NULL, LIKE scoring_points) "
            "PARTITION BY HASH (club_id)",
            *(
                f"CREATE TABLE {{table}}_{part} PARTITION OF {{table}} "
                f"FOR VALUES WITH (MODULUS {PARTS}, REMAINDER {part})"
                for part in range(PARTS)
            ),
            "INSERT INTO {table} {source} ORDER BY point.id % 1000000, point.id",
            KEY,
        ),
    ),
)


def _read(query: str) -> tuple[str, str]:
    """Blocks and milliseconds of a query, the second time it is asked."""
    explained(query)
    plan = explained(query, buffers=True)
    top: dict[str, Any] = plan["Plan"]
    return f"{top['Shared Hit Blocks'] + top['Shared Read Blocks']:,}", f"{plan['Execution Time']:.2f}"


def _megabytes(table: str) -> Decimal:
    size: Decimal = asked(
        "SELECT sum(pg_total_relation_size(oid)) / 1048576.0 FROM pg_class "
        "WHERE relkind = 'r' AND (relname = %s OR relname LIKE %s)",
        [table, f"{table}\\_%"],
    )
    return size
