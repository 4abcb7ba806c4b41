"""All addresses of the site."""

from django.urls import include, path

from clubsite.front import home

urlpatterns = [
    path("", home, name="home"),
    path("", include("clubsite.accounts.urls")),
    path("", include("tournaments.table_links.urls")),
    path("<slug:club>/", include("scoring.urls")),
    path("<slug:club>/", include("tournaments.urls")),
]
