"""Addresses of backups, and of the page that stops the site."""

from django.urls import path

from clubsite.operations import views

urlpatterns = [
    path("site/running/", views.running, name="running"),
    path("backups/", views.backups, name="backups"),
    path("backups/everything/", views.everything, name="everything"),
    path("backups/<str:name>/", views.backup, name="backup"),
    path("backups/<str:name>/file/", views.backup_file, name="backup_file"),
    path("<slug:club>/backups/", views.club_backups, name="club_backups"),
]
