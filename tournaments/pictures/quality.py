"""The quality of a draw: how many pairs meet never, once, and more than once, in each role."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from clubsite.charts import Bars, bars_of


def quality_bars(statement: Mapping[str, Any]) -> Bars | None:
    """The picture of a draw's statement (`engine.verify.Statement`, as kept with the draw): of all rounds planned,
    where it speaks of them. Couples who are always partners are left out, as they are there. None for a statement that
    doesn't count meetings."""
    said = statement.get("whole") or statement
    if "table_mate" not in said or "never_met" not in said:
        return None
    pairs = said["table_mate"]["different"] + said["never_met"]
    roles = ((_("As partners"), "partner"), (_("As opponents"), "opponent"), (_("At one table"), "table_mate"))
    return bars_of(
        [_("once"), _("more than once"), _("never")], [(words, _parts(said[role], pairs)) for words, role in roles]
    )


def _parts(role: Mapping[str, int], pairs: int) -> list[int]:
    again = role["pairs_repeated"]
    return [role["different"] - again, again, pairs - role["different"]]
