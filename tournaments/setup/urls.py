"""Addresses of the guided start and of the demo's removal."""

from django.urls import path

from tournaments.demo.views import remove
from tournaments.setup import views

urlpatterns = [
    path("start/", views.welcome, name="start"),
    path("start/club/", views.club, name="start_club"),
    path("start/director/", views.director, name="start_director"),
    path("start/demo/", views.demo, name="start_demo"),
    path("<slug:club>/start/rules/", views.rules, name="start_rules"),
    path("<slug:club>/start/members/", views.members, name="start_members"),
    path("<slug:club>/start/night/", views.night, name="start_night"),
    path("<slug:club>/start/cards/<slug:event>/", views.cards, name="start_cards"),
    path("<slug:club>/start/away/", views.away, name="start_away"),
    path("<slug:club>/demo/", remove, name="demo_remove"),
]
