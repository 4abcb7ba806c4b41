"""Addresses of cards and house rules."""

from django.urls import path

from scoring import views, views_files, views_handicap, views_rules

urlpatterns = [
    path("games/new/", views.new_game, name="game_new"),
    path("games/files/", views_files.files, name="files"),  # all games out to a file and in again
    path("games/files/<slug:form>/", views_files.files_out, name="files_out"),
    path("games/<int:game>/reasons/", views_files.card_reasons, name="card_reasons"),  # the played card on paper
    path("games/score/", views_files.score_file, name="score_file"),  # a deal file, scored; nothing is recorded
    path("games/<int:game>/", views.card, name="card"),
    path("games/<int:game>/reckon/", views.reckon, name="reckon"),  # points and problems while typing
    path("games/<int:game>/end/", views.end, name="game_end"),
    path("games/<int:game>/handicap/", views_handicap.handicap, name="handicap"),  # between its two players
    path("deals/<int:deal>/", views.deal, name="deal"),  # its versions, and the form to correct it
    path("deals/<int:deal>/mark/", views.mark, name="deal_mark"),
    path("games/<int:game>/other-rules/", views_rules.under_other_rules, name="other_rules"),  # a preview of its card
    path("rules/", views_rules.rules_list, name="rules"),
    path("rules/<slug:slug>/", views_rules.shipped_rules, name="shipped_rules"),
    path("rules/<slug:slug>/compare/", views_rules.compare, name="rules_compare"),
    path("rules/<slug:slug>/change/", views_rules.change, name="rules_change"),
    path("rules/<slug:slug>/copy/", views_rules.copy, name="rules_copy"),  # under a name of its own
    path("rules/<slug:slug>/<int:version>/", views_rules.rules, name="house_rules"),
    path("rules/<slug:slug>/print/<slug:document>/", views_rules.print_shipped, name="shipped_rules_print"),
    path("rules/<slug:slug>/<int:version>/print/<slug:document>/", views_rules.print_rules, name="rules_print"),
]
