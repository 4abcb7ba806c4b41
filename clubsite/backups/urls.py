"""Addresses of backups: the site's, and below each club's."""

from django.urls import path

from clubsite.backups import views

urlpatterns = [
    path("backups/", views.backups, name="backups"),
    path("backups/seen/", views.gone_back_seen, name="gone_back_seen"),
    path("backups/<str:name>/", views.backup, name="backup"),
    path("backups/<str:name>/file/", views.backup_file, name="backup_file"),
    path("backups/<str:name>/clubs/<int:number>/", views.backup, name="backup_of_club"),
    path("<slug:club>/backups/", views.club_backups, name="club_backups"),
    path("<slug:club>/backups/<str:name>/", views.club_backup, name="club_backup"),
]
