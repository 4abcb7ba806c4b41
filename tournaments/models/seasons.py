"""Who belongs to a season's divisions and teams, and the club's numbers for handicaps."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from clubsite.accounts.models import Club, Member
from tournaments.models.events import Season


class SeasonMember(models.Model):
    """A member's division and team in a season. Who has no row plays as a drop-in where there are divisions."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="members")
    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="seasons")
    division = models.PositiveSmallIntegerField(_("division"), null=True, blank=True)  # from 1, the top one
    team = models.CharField(_("team"), max_length=40, blank=True)

    class Meta:
        ordering = ["division", "member__name"]
        constraints = [models.UniqueConstraint(fields=["season", "member"], name="one_row_per_member_of_a_season")]

    def __str__(self) -> str:
        return f"{self.member} · {self.season}"


class ClubHandicap(models.Model):
    """The club's numbers for handicaps in one of its games: what a new event starts from."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="handicap_numbers")
    game = models.SlugField()  # of its house rules, whatever their version
    numbers = models.JSONField()  # tournaments.engine.handicap.HandicapRule

    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "game"], name="one_handicap_rule_per_game")]

    def __str__(self) -> str:
        return f"{self.club} · {self.game}"
