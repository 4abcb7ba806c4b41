"""Addresses of the site as a whole: its health, and its owner's pages."""

from django.urls import path

from clubsite.watch import views

urlpatterns = [
    path("health/", views.health_page, name="health"),
    path("site/", views.site, name="site"),
    path("privacy/", views.privacy, name="privacy"),
]
