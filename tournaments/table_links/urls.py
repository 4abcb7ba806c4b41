"""Addresses of tables, at the root of the site so that they are short. Their QR codes are in capitals."""

from django.urls import path
from django.views.generic import RedirectView

from tournaments.table_links import views

urlpatterns = [
    path("t/", views.which_event, name="which_event"),
    path("T/<str:token>/", RedirectView.as_view(pattern_name="table"), name="table_scanned"),
    path("t/<str:token>/", views.table, name="table"),
    path("t/<str:token>/<int:game>/", views.table, name="table_game"),
    path("t/<str:token>/<int:game>/reckon/", views.reckon, name="table_reckon"),
    path("t/<str:token>/news/", views.news, name="table_news"),
    path("t/<str:token>/who/", views.who, name="table_who"),
    path("t/<str:token>/deals/<int:deal>/", views.deal, name="table_deal"),
    path("t/<str:token>/deals/<int:deal>/say/", views.say, name="table_say"),
]
