"""The results of the trials, as a table."""

from __future__ import annotations

from dataclasses import dataclass, field

from clubsite.bench.crash.audit import WrongFound

HEAD = ("fault", "tries", "acknowledged", "lost", "doubled", "half", "went on by itself", "what the page said")


@dataclass(slots=True)
class FaultRow:
    """One fault: how often it was caused, what was acknowledged, what is wrong after it, what people saw."""

    fault: str
    tries: int = 0
    acknowledged: int = 0
    lost: int = 0
    doubled: int = 0
    half: int = 0
    said: str = ""
    on: str = ""  # how it went on afterwards
    faults: list[str] = field(default_factory=list)

    def add(self, found: WrongFound) -> None:
        """Add what an audit found."""
        self.lost, self.doubled = self.lost + len(found.lost), self.doubled + len(found.doubled)
        self.half += len(found.half) + len(found.damaged)
        self.faults += found.faults


def as_text(rows: list[FaultRow]) -> str:
    """A table, with what is wrong under it."""
    lines = ["", " | ".join(HEAD), " | ".join("---" for _name in HEAD)]
    for row in rows:
        figures = (row.tries, row.acknowledged, row.lost, row.doubled, row.half)
        lines.append(" | ".join([row.fault, *map(str, figures), row.on or "-", row.said or "-"]))
    lines += [f"! {row.fault}: {fault}" for row in rows for fault in row.faults[:10]]
    return "\n".join(lines) + "\n"
