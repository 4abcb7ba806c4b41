"""Reading a photo: the task, and the worker's end of the pipe to `reader`."""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from threading import Timer
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction
from django_tasks import TaskContext, TaskResultStatus, task

from scoring.cards.queries import card_of
from scoring.models import Game
from tournaments.keying.grid import WITH_CLUB
from tournaments.models import CardPhoto, Draw, Event, GroupGame, PhotographedCard
from tournaments.photos.likeliest import LineReading, likeliest_lines
from tournaments.table_links.links import CARD_CODE, find_link_on_card

TIMEOUT = 120  # seconds for one page; a card takes one or two on a machine that isn't busy
PROGRAM = "from tournaments.photos.reader import main; main()"
State = CardPhoto.State
OPEN = (State.WAITING, State.READING)


class NotRead(Exception):
    """The rest of a file can't be read; the text is a key of `actions.PROBLEMS`."""


def is_missing() -> bool:
    """Whether the extra `photo`, needed to read photos, isn't installed."""
    return not all(map(find_spec, ("numpy", "zxingcpp")))


@task(takes_context=True)
def read_cards(context: TaskContext, pk: int) -> None:
    """Read a photo, report progress, and save what was read, once even if two workers read it."""
    attempt = CardPhoto.objects.filter(pk=pk, state__in=OPEN, attempt__lt=context.attempt)
    if not attempt.update(state=State.READING, attempt=context.attempt):
        return
    photo = CardPhoto.objects.select_related("event__club").get(pk=pk)
    attempt = CardPhoto.objects.filter(pk=pk, state=State.READING, attempt=context.attempt)
    cards: list[PhotographedCard] = []
    problem = ""
    try:
        for page in _read_pages(photo, cards):
            if not attempt.update(done=page.number, of=page.of):
                break
    except NotRead as why:
        problem = str(why)
    with transaction.atomic():
        saved = attempt.update(state=State.FAILED if problem and not cards else State.READ, problem=problem, file="")
        if saved:
            PhotographedCard.objects.bulk_create(cards)
    if saved:
        default_storage.delete(str(photo.file))
        return
    for name in filter(None, (str(card.picture) for card in cards)):  # it was removed, or another worker has it
        default_storage.delete(name)


def note_failure(sender: object, *, task_result: Any, **rest: object) -> None:
    """Signal handler: mark a photo as failed if its task did, by a fault or because its worker died too often."""
    if task_result.status == TaskResultStatus.FAILED and task_result.task.func is read_cards.func:
        photos = CardPhoto.objects.filter(pk=task_result.args[0], state__in=OPEN)
        for photo in photos:
            default_storage.delete(str(photo.file))
        photos.update(state=State.FAILED, problem="fault", file="")


def find_game(event: Event, code: str) -> tuple[Game | None, str, str]:
    """The game whose card has this code; else None, a key of `actions.PROBLEMS`, and the event that it names."""
    if (linked := find_link_on_card(code)) is None:
        return None, "forged" if CARD_CODE.fullmatch(code) else "foreign", ""
    link, number = linked
    if link.event_id != event.pk:
        return None, "other-event", link.event.name if link.event.club_id == event.club_id else ""
    if link.group.table.draw.state != Draw.State.PUBLISHED:
        return None, "old-draw", ""
    rows = GroupGame.objects.filter(group=link.group_id).select_related("game").order_by("number")
    games = {row.number: row.game for row in rows}
    open_games = [game for game in games.values() if game.state == Game.State.OPEN]
    game = games.get(number) if number else next(iter(open_games or [*games.values()][::-1]), None)
    return (WITH_CLUB.get(pk=game.pk), "", "") if game else (None, "no-game", "")


def _read_pages(photo: CardPhoto, cards: list[PhotographedCard]) -> Iterator[Any]:
    """The pages of a photo as they are read. Adds their cards to `cards` and stores their pictures. Raises NotRead."""
    from tournaments.photos.plans import card_plans  # needs numpy, which not every site has

    if is_missing():
        raise NotRead("missing")
    by_code: dict[str, tuple[Game | None, str, str]] = {}

    def plans_of(code: str) -> Sequence[Any]:
        by_code[code] = find_game(photo.event, code)
        game = by_code[code][0]
        return card_plans(game.rules.rule_set, game.shape) if game else ()

    with photo.file.open() as file:
        content = file.read()
    for page in run_reader(content, plans_of):
        for card in page.cards:
            game = by_code[card.code][0]
            assert game  # noqa: S101  (it has plans)
            lines = [_line_data(line, card.boxes) for line in likeliest_lines(card_of(game), card.inks)]
            of_page: dict[str, Any] = {"page": page.number, "size": card.size}
            cards.append(_photographed_card(photo, card.picture, game=game, lines=lines, **of_page))
        problems = {(problem, about) for _game, problem, about in by_code.values() if problem}
        if page.fault and not problems:
            problems.add((page.fault, ""))
        if not page.cards or problems - {("foreign", "")}:  # foreign codes beside a card of ours don't matter
            for problem, about in sorted(problems):
                of_page = {"page": page.number, "size": page.preview_size}
                cards.append(_photographed_card(photo, page.preview, problem=problem, about=about, **of_page))
        by_code.clear()
        yield page


def _photographed_card(
    photo: CardPhoto, picture: bytes, *, page: int, size: tuple[int, int], **fields: Any
) -> PhotographedCard:
    card = PhotographedCard(photo=photo, page=page, width=size[0], height=size[1], **fields)
    if picture:
        card.picture.save(f"photos/{uuid4().hex}.jpg", ContentFile(picture), save=False)
    return card


def _line_data(line: LineReading, boxes: Any) -> dict[str, Any]:
    """A line as stored: for each field its text, its mark ("doubt", "rules" or "", as in `keying.grid.Box`), and its
    box in the card's picture."""
    fields = {
        name: [field.text, "doubt" if field.doubtful else "rules" if field.not_by_ink else "", boxes.get(field.box)]
        for name, field in line.fields.items()
    }
    problems = [[p.code, p.severity.value, p.field, p.args, p.side] for p in line.problems]
    return {"number": line.number, "fields": fields, "problems": problems}


def run_reader(file: bytes, plans_of: Callable[[str], Sequence[Any]]) -> Iterator[Any]:
    """The `reader.Page`s of a file. Raises NotRead."""
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONUTF8": "1"}
    with subprocess.Popen(  # noqa: S603  (our own program)
        [sys.executable, "-c", PROGRAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=settings.BASE_DIR,
        env=environment,
    ) as program:
        assert program.stdin and program.stdout  # noqa: S101, PT018  (pipes, as asked for)
        stopped: list[bool] = []
        try:
            message: Any = file
            while True:
                pickle.dump(message, program.stdin)
                program.stdin.flush()
                while not isinstance(answer := _next_answer(program, stopped), str):
                    if answer is None:
                        return
                    if isinstance(answer, Exception):
                        raise NotRead(str(answer))
                    yield answer
                message = plans_of(answer)
        except (EOFError, OSError, pickle.UnpicklingError):
            raise NotRead("slow" if stopped else "memory") from None
        finally:
            program.kill()


def _next_answer(program: subprocess.Popen[bytes], stopped: list[bool]) -> Any:
    """The program's next answer. After TIMEOUT it is killed, and `stopped` notes it."""

    def stop() -> None:
        stopped.append(True)
        program.kill()

    timer = Timer(TIMEOUT, stop)
    timer.start()
    try:
        return pickle.load(program.stdout)  # type: ignore[arg-type]  # noqa: S301  (our own program's)
    finally:
        timer.cancel()
