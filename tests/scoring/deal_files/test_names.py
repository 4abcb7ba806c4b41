"""Names in files: what can't be printed in them is a space, and they are known again."""

from scoring.cards.deals import start_game
from scoring.models import Game
from tests.scoring.deal_files.exchanging import empty, out, take


def test_names_pasted_with_other_spaces_are_known_again(club, actor, record, rules_for):
    sides = [["Anna\u00a0Maria", "Jo\u200bse"], ["Soft\u00adhy", "Ma\u2028x"]]
    record(start_game(club=club, rules=rules_for("st-hilary-v3"), title="Table\u00a03", sides=sides))
    plan = take(club, out(club), actor)
    assert (plan.games, plan.known) == ((), 1)


def test_an_emoji_of_several_parts_comes_back_whole(club, actor, record, rules_for):
    family, rainbow = "Ann \U0001f469\u200d\U0001f467", "Bob \U0001f3f3\ufe0f\u200d\U0001f308"
    sides = [[family, rainbow], ["Ca\u200dl", "Dee \U0001f469\u200d"]]
    record(start_game(club=club, rules=rules_for("st-hilary-v3"), title=family, sides=sides))
    text = out(club)
    assert take(club, text, actor).known == 1
    empty(club)
    take(club, text, actor)
    game = Game.objects.get()
    assert (game.title, [side.names for side in game.sides.all()]) == (
        family,
        [[family, rainbow], ["Ca l", "Dee \U0001f469"]],
    )
