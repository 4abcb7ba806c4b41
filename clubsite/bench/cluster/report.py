"""The outcome of a trial in words."""

from __future__ import annotations

from clubsite.bench.cluster.trial import ClusterOutcome, Killed


def as_text(outcome: ClusterOutcome) -> str:
    """A line for each part that died, and what the database has in the end."""
    lines = [
        "",
        "killed                     acknowledged  sent again  lost   nobody wrote for  longest wait of a deal  answers",
        *(_line(fault) for fault in (outcome.quiet, *outcome.faults)),
        "",
        *(f"{fault.name}: {fault.said}." for fault in outcome.faults),
        "",
        f"{outcome.acknowledged} deals acknowledged: {outcome.lost} lost, {outcome.doubled} doubled, "
        f"{outcome.sums_wrong} totals that aren't the sum of their deals, {outcome.unknown} that nobody sent; "
        f"{outcome.on_standby} of them on the standby, too",
        f"{outcome.prints} files ordered and read from both web hosts, {outcome.prints_same} the same on both",
        *(f"Refused: {refused}" for refused in outcome.refused[:5]),
        f"{outcome.seconds:.0f} s in all. " + ("It holds." if outcome.holds else "It does NOT hold."),
    ]
    return "\n".join(lines) + "\n"


def _line(fault: Killed) -> str:
    answers = ", ".join(f"{count} x {status or 'none'}" for status, count in fault.statuses.items()) or "all as asked"
    return (
        f"{fault.name:26} {fault.acknowledged:12}  {fault.again:10}  {fault.lost:4}   {fault.away:14.1f} s  "
        f"{fault.longest:20.1f} s  {answers}"
    )
