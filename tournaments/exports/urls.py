"""Addresses of the site itself: what programs need before they know a club."""

from django.urls import path

from tournaments.exports import views

urlpatterns = [
    path("data/format-1.json", views.data_schema, name="data_schema"),
    path("data/openapi.json", views.data_openapi, name="data_openapi"),
]
