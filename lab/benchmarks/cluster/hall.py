"""A hall while parts of the site die: tables that record deals as phones do, viewers, a director who prints.

A phone keeps a deal until it is acknowledged, and sends it again as it is: static/kept.js. The same submission counts
once, however often it arrives.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from hashlib import sha256
from time import monotonic

from lab.benchmarks.cluster.bookings import Booking, Bookings
from lab.benchmarks.served import FORM, Connection, request

PATIENCE = 8.0  # seconds for an answer, as on a phone
AGAIN = 1.0  # seconds until a phone sends again what wasn't acknowledged
DEAL_EVERY = 2.0  # seconds between two deals of a table: many times faster than a hall plays
LOOK_EVERY = 5.0
VIEWERS = 20
PRINT_EVERY = 6.0
TWICE = 5  # every fifth deal is sent twice at once: a double tap
RECORDED = 302
LOST = (OSError, EOFError, TimeoutError, ValueError, IndexError)  # what a broken connection raises


@dataclass(slots=True)
class SentDeal:
    """A deal that a phone sends until it is acknowledged."""

    booking: Booking
    began: float
    taps: int = 1
    tries: int = 0
    acknowledged: float | None = None


@dataclass(slots=True)
class Hall:
    """Everybody, and what they saw."""

    port: int
    web_ports: tuple[int, int]
    bookings: Bookings
    sent: list[SentDeal] = field(default_factory=list)
    prints: int = 0  # files that a director ordered and both web hosts gave
    prints_same: int = 0  # of these, files of which both gave the same bytes
    statuses: list[tuple[float, int]] = field(default_factory=list)  # when, and the status; 0: no answer
    refused: list[str] = field(default_factory=list)  # answers after which no phone would try again
    closing: bool = False

    async def evening(self) -> None:
        """Play until `closing` is set and all deals that were sent are acknowledged."""
        tables = [self._table(number) for number in range(len(self.bookings["tables"]))]
        viewers = [self._viewer(number) for number in range(VIEWERS)]
        await asyncio.gather(*tables, *viewers, self._director())

    async def _table(self, number: int) -> None:
        await asyncio.sleep(DEAL_EVERY * number / len(self.bookings["tables"]))
        line: list[Connection] = []
        for place, booking in enumerate(self.bookings["tables"][number]):
            if self.closing:
                break
            sent = SentDeal(booking, monotonic(), taps=1 if place % TWICE else 2)
            self.sent.append(sent)
            if sent.taps == 2:
                extra: list[Connection] = []
                await asyncio.gather(self._until_acknowledged(sent, line), self._post(sent, extra))
                _hang_up(extra)
            else:
                await self._until_acknowledged(sent, line)
            await asyncio.sleep(DEAL_EVERY)
        _hang_up(line)

    async def _until_acknowledged(self, sent: SentDeal, line: list[Connection]) -> None:
        while sent.acknowledged is None:
            status = await self._post(sent, line)
            if status == RECORDED:
                sent.acknowledged = monotonic()
            elif 0 < status < 500 and status != 429:
                self.refused.append(f"{status} for {sent.booking['submission']}")
                return
            else:
                await asyncio.sleep(AGAIN)

    async def _post(self, sent: SentDeal, line: list[Connection]) -> int:
        sent.tries += 1
        what, body = f"POST {sent.booking['address']}", sent.booking["body"].encode()
        head = f"{self.bookings['scorer']}{FORM}"
        status, _headers, _body = await self._asked(request(what, head, body=body), line)
        return status

    async def _viewer(self, number: int) -> None:
        await asyncio.sleep(LOOK_EVERY * number / VIEWERS)
        address = self.bookings["looked_at"][number % len(self.bookings["looked_at"])]
        line: list[Connection] = []
        tag = ""
        while not self.closing:
            head = "HX-Request: true\r\n" + (f"If-None-Match: {tag}\r\n" if tag else "")
            _status, headers, _body = await self._asked(request(f"GET {address}", head), line)
            tag = headers.get("etag", tag)
            await asyncio.sleep(LOOK_EVERY)
        _hang_up(line)

    async def _director(self) -> None:
        """Order one file after another, all different, and read each from both web hosts."""
        copies, line = 0, list[Connection]()
        while not self.closing:
            copies += 1
            address = f"{self.bookings['printed']}?copies={1 + copies % 60}&paper={('A4', 'Letter')[copies // 60 % 2]}"
            where = await self._ordered(address, line)
            files = [await self._read(where, port) for port in self.web_ports] if where else []
            if len(files) == len(self.web_ports) and all(files):
                self.prints += 1
                self.prints_same += len(set(files)) == 1
            await asyncio.sleep(PRINT_EVERY)
        _hang_up(line)

    async def _ordered(self, address: str, line: list[Connection]) -> str:
        """Order a file, and return its address; "" where the hall closed first."""
        while not self.closing:
            status, headers, _body = await self._asked(request(f"POST {address}", self.bookings["director"]), line)
            if status in (301, 302):
                return headers["location"]
            if status == 200:  # the file exists already
                return address
            await asyncio.sleep(AGAIN)
        return ""

    async def _read(self, address: str, port: int) -> str:
        """A hash of the file that one web host serves; "" where the hall closed first."""
        line: list[Connection] = []
        try:
            while not self.closing:
                asked = request(f"GET {address}", self.bookings["director"])
                status, headers, body = await self._asked(asked, line, port=port)
                if status == 200 and headers.get("content-type", "").startswith("application/pdf"):
                    return sha256(body).hexdigest()
                await asyncio.sleep(AGAIN)
        finally:
            _hang_up(line)
        return ""

    async def _asked(self, asked: bytes, line: list[Connection], *, port: int = 0) -> tuple[int, dict[str, str], bytes]:
        """Send a request; the status is 0 where no answer came. `line` holds the connection to be used again, if there
        is one."""
        try:
            async with asyncio.timeout(PATIENCE):
                if not line:
                    line.append(await Connection.open(port or self.port))
                answer = await line[0].ask(asked)
        except LOST:
            _hang_up(line)
            answer = (0, {}, b"")
        else:
            if answer[1].get("connection", "").lower() == "close":
                _hang_up(line)
        if not port:  # files are asked of single hosts, of which one may be dead: that says nothing of the site
            self.statuses.append((monotonic(), answer[0]))
        return answer


def _hang_up(line: list[Connection]) -> None:
    while line:
        line.pop().close()
