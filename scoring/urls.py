"""Addresses of cards and house rules."""

from django.urls import path

from scoring import handicaps, quick_games
from scoring.cards import views as card_views
from scoring.deal_files import rules_files, views as file_views
from scoring.house_rules import views as house_rules_views

urlpatterns = [
    path("games/new/", quick_games.new, name="game_new"),
    path("games/files/", file_views.files, name="files"),  # all games out to a file and in again
    path("games/files/<slug:form>/", file_views.files_out, name="files_out"),
    path("games/<int:game>/reasons/", card_views.card_reasons, name="card_reasons"),  # the played card on paper
    path("games/score/", file_views.score_file, name="score_file"),  # a deal file, scored; nothing is recorded
    path("games/<int:game>/", card_views.card, name="card"),
    path("games/<int:game>/reckon/", card_views.check_as_typed, name="live_check"),  # points and problems while typing
    path("games/<int:game>/news/", card_views.news, name="card_news"),
    path("games/<int:game>/names/", quick_games.names, name="game_names"),  # of a game outside events
    path("games/follow/<uuid:submission>/", quick_games.follow, name="game_follow"),
    path("games/<int:game>/end/", card_views.end, name="game_end"),
    path("games/<int:game>/handicap/", handicaps.handicap, name="handicap"),  # between its two players
    path("deals/<int:deal>/", card_views.deal, name="deal"),  # its versions, and the form to correct it
    path("deals/<int:deal>/mark/", card_views.mark, name="deal_mark"),
    path("games/<int:game>/other-rules/", card_views.under_other_rules, name="other_rules"),  # a preview of its card
    path("rules-file/", rules_files.rules_in, name="rules_in"),
    path("rules/", house_rules_views.rules_list, name="rules"),
    path("rules/<slug:slug>/", house_rules_views.shipped_rules, name="shipped_rules"),
    path("rules/<slug:slug>/compare/", house_rules_views.compare, name="rules_compare"),
    path("rules/<slug:slug>/change/", house_rules_views.change, name="rules_change"),
    path("rules/<slug:slug>/copy/", house_rules_views.copy, name="rules_copy"),  # under a name of its own
    path("rules/<slug:slug>/<int:version>/", house_rules_views.rules, name="house_rules"),
    path("rules/<slug:slug>/<int:version>/file/", rules_files.rules_out, name="rules_out"),
    path("rules/<slug:slug>/print/<slug:document>/", house_rules_views.print_shipped, name="shipped_rules_print"),
    path("rules/<slug:slug>/<int:version>/print/<slug:document>/", house_rules_views.print_rules, name="rules_print"),
]
