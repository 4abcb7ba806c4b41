"""Addresses of cards and house rules."""

from django.urls import path

from scoring import views

urlpatterns = [
    path("games/new/", views.new_game, name="game_new"),
    path("games/<int:game>/", views.card, name="card"),
    path("games/<int:game>/reckon/", views.reckon, name="reckon"),  # points and problems while typing
    path("games/<int:game>/end/", views.end, name="game_end"),
    path("deals/<int:deal>/", views.deal, name="deal"),  # its versions, and the form to correct it
    path("deals/<int:deal>/mark/", views.mark, name="deal_mark"),
    path("rules/", views.rules_list, name="rules"),
    path("rules/<slug:slug>/<int:version>/", views.rules, name="house_rules"),
]
