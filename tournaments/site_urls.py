"""Addresses at the root of the site: the guided start and the demo's removal, tables, the formats for programs.

Those of tables are short; in QR codes they are in capitals."""

from django.urls import path
from django.views.generic import RedirectView

from tournaments.demo import remove
from tournaments.exports import views as exports_views
from tournaments.setup import views as setup_views
from tournaments.table_links import views as table_links_views

urlpatterns = [
    path("start/", setup_views.welcome, name="start"),
    path("start/club/", setup_views.club, name="start_club"),
    path("start/director/", setup_views.director, name="start_director"),
    path("start/demo/", setup_views.demo, name="start_demo"),
    path("<slug:club>/start/rules/", setup_views.rules, name="start_rules"),
    path("<slug:club>/start/members/", setup_views.members, name="start_members"),
    path("<slug:club>/start/night/", setup_views.night, name="start_night"),
    path("<slug:club>/start/cards/<slug:event>/", setup_views.cards, name="start_cards"),
    path("<slug:club>/start/away/", setup_views.hide_start, name="start_away"),
    path("<slug:club>/demo/", remove, name="demo_remove"),
    path("t/", table_links_views.which_event, name="which_event"),
    path("T/<str:token>/", RedirectView.as_view(pattern_name="table"), name="table_scanned"),
    path("T/<str:token>/<int:game>/", RedirectView.as_view(pattern_name="table_game"), name="game_scanned"),
    path("t/<str:token>/", table_links_views.table, name="table"),
    path("t/<str:token>/<int:game>/", table_links_views.table, name="table_game"),
    path("t/<str:token>/<int:game>/reckon/", table_links_views.check_as_typed, name="table_live_check"),
    path("t/<str:token>/<int:game>/right/", table_links_views.agree_to_card, name="table_right"),
    path("t/<str:token>/news/", table_links_views.news, name="table_news"),
    path("t/<str:token>/who/", table_links_views.choose_side, name="table_who"),
    path("t/<str:token>/deals/<int:deal>/", table_links_views.deal, name="table_deal"),
    path("t/<str:token>/deals/<int:deal>/say/", table_links_views.judge_deal, name="table_say"),
    path("data/format-1.json", exports_views.data_schema, name="data_schema"),
    path("data/openapi.json", exports_views.data_openapi, name="data_openapi"),
]
