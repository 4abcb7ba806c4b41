"""People who write through HTTP whatever happens, and the ledger of what the site acknowledged.

Each is a thread that sends one form after another as phones do: what isn't answered is sent again, with the same
submission, until it is; some of what was answered is sent once more.
"""

from __future__ import annotations

import re
import time
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from html import unescape
from http.client import HTTPConnection, HTTPException
from random import Random
from threading import Event, Lock, Thread
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from lab.benchmarks.crash.contest import DEALS, CardToFill, CrashContest
from lab.benchmarks.served import TOKEN

PATIENCE = 25.0  # seconds for an answer: SQLite's own patience with somebody who holds the database is 20
TWICE = 0.3  # the share of acknowledged deals that is sent once more
TITLE = re.compile(r"<h1[^>]*>\s*(.*?)\s*</h1>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Reply:
    """The site's answer; `status` 0 where none came."""

    status: int
    to: str = ""
    title: str = ""


@dataclass(slots=True)
class Ledger:
    deals: dict[str, tuple[int, int, list[int]]] = field(default_factory=dict)  # submission: game, number, points
    steps: Counter[str] = field(default_factory=Counter)  # steps of the director, by the log's verb
    open_steps: Counter[str] = field(default_factory=Counter)
    said: Counter[str] = field(default_factory=Counter)  # titles of pages that said no, and "no answer"
    wrong: list[str] = field(default_factory=list)  # answers that should never be
    tries: int = 0
    taken: list[tuple[float, float]] = field(default_factory=list)  # when each deal was first sent, and acknowledged
    answers: list[tuple[float, int]] = field(default_factory=list)  # when each came, and its status
    lock: Lock = field(default_factory=Lock)

    def as_data(self) -> dict[str, Any]:
        return {"deals": self.deals, "steps": self.steps, "open_steps": self.open_steps}

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Ledger:
        deals = {key: (game, number, points) for key, (game, number, points) in data["deals"].items()}
        return cls(deals, Counter(data["steps"]), Counter(data["open_steps"]))

    @property
    def acknowledged(self) -> int:
        return len(self.deals) + sum(self.steps.values())

    def note_refusal(self, answer: Reply) -> None:
        with self.lock:
            self.said[answer.title or f"status {answer.status}" if answer.status else "no answer"] += 1
            if answer.status not in (0, 503):
                self.wrong.append(f"{answer.status} {answer.title} {answer.to}")


@dataclass(slots=True)
class People:
    contest: CrashContest
    port: int
    ledger: Ledger
    pause: float = 0.15
    scorers: int = 6
    seed: int = 1
    ended: Event = field(default_factory=Event)
    threads: list[Thread] = field(default_factory=list)
    cards: deque[CardToFill] = field(default_factory=deque)

    def __enter__(self) -> People:
        self.cards.extend(self.contest.cards)
        scorers = (partial(self._score, Random(self.seed + n)) for n in range(self.scorers))
        works: list[Callable[[], None]] = [*scorers, self._direct]
        self.threads = [Thread(target=work, daemon=True) for work in works]
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self.ended.set()
        for thread in self.threads:
            thread.join(2 * PATIENCE)

    def wait_for(self, more: int, *, within: float) -> bool:
        """Wait until so many more were acknowledged; False when that takes longer than `within` seconds."""
        goal, until = self.ledger.acknowledged + more, time.monotonic() + within
        while time.monotonic() < until:
            if self.ledger.acknowledged >= goal:
                return True
            time.sleep(0.05)
        return False

    def _score(self, random: Random) -> None:
        while not self.ended.is_set():
            try:
                card = self.cards.popleft()
            except IndexError:  # all cards are full
                return
            for number in range(1, DEALS + 1):
                points = [random.randrange(60) for _side in range(3)]
                if not self._record(card, number, points=points, twice=random.random() < TWICE):
                    return

    def _record(self, card: CardToFill, number: int, *, points: Sequence[int], twice: bool) -> bool:
        """Send a deal until it is acknowledged; False when the people are stopped."""
        submission = str(uuid4())
        form = {"number": number, "submission": submission, "sure": "on"}
        form |= {f"points_{side}": value for side, value in enumerate(points)}
        began = time.monotonic()
        for again in range(1 + twice):
            if self._send_until_taken(card.address, form, pause=0.3) is None:
                return False
            if not again:
                self.ledger.taken.append((began, time.monotonic()))
            with self.ledger.lock:
                self.ledger.deals[submission] = (card.game, number, list(points))
        return not self.ended.wait(self.pause)

    def _direct(self) -> None:
        """Publish the cut, draw the next stage, publish the draw, take it and the cut back; again and again."""
        event = f"/{self.contest.club}/desk/{self.contest.cut_event}/"
        stage, seen = self.contest.cut_stage, 0
        while not self.ended.is_set():
            form = {"step": "publish", "fingerprint": self.contest.fingerprint, "sure": "on"}
            cut = self._step("cut.publish", f"{event}stages/{stage}/cut/", form=form, done=rf"{event}cuts/\d+/$")
            draw = self._step(
                "draw.make", f"{event}stages/{stage + 1}/draw/", form={"seen": seen}, done=rf"{event}draws/\d+/$"
            )
            seen += 1
            back = {"step": "take-back", "reason": "-"}
            if not (
                self._step("draw.publish", draw, form={"step": "publish"}, done=rf"{event}$")
                and self._step("draw.withdraw", draw, form=back, done=rf"{event}draws/\d+/$")
                and self._step("cut.withdraw", cut, form=back, done=rf"{event}stages/{stage}/cut/$")
            ):
                return

    def _step(self, verb: str, address: str, *, form: Mapping[str, object], done: str) -> str:
        """Repeat a step until the answer leads to an address like `done`. Returns it; "" when the people are
        stopped."""
        if not address or self.ended.is_set():  # the step before may not have been taken
            return ""
        with self.ledger.lock:
            self.ledger.open_steps[verb] += 1
        to = self._send_until_taken(address, form, pause=0.5, done=done)
        if to is None:
            return ""
        with self.ledger.lock:
            self.ledger.open_steps[verb] -= 1
            self.ledger.steps[verb] += 1
        return "" if self.ended.wait(4 * self.pause) else to

    def _send_until_taken(
        self, address: str, form: Mapping[str, object], *, pause: float, done: str = ""
    ) -> str | None:
        while True:
            answer = self.ask(address, urlencode(form))
            if answer.status == 302 and re.search(done, answer.to):
                return answer.to
            self.ledger.note_refusal(answer)
            if self.ended.wait(pause):
                return None

    def ask(self, address: str, body: str | None) -> Reply:
        """Send a form, or open a page where `body` is None."""
        with self.ledger.lock:
            self.ledger.tries += 1
        headers = {"Cookie": f"sessionid={self.contest.director}; csrftoken={TOKEN}", "X-CSRFToken": TOKEN}
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        line = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            line.request("GET" if body is None else "POST", address, body, headers)
            got = line.getresponse()
            page = got.read().decode(errors="replace")
        except (OSError, HTTPException):
            self.ledger.answers.append((time.monotonic(), 0))
            return Reply(0)
        finally:
            line.close()
        self.ledger.answers.append((time.monotonic(), got.status))
        title = TITLE.search(page)
        words = unescape(re.sub(r"<[^>]*>", "", title[1])) if title else ""
        return Reply(got.status, to=got.headers.get("Location", ""), title=words)
