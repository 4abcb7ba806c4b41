"""Addresses of logging in and of a club's people."""

from django.contrib.auth.views import LogoutView
from django.urls import path

from clubsite.accounts import views

urlpatterns = [
    path("login/", views.Login.as_view(), name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("password/", views.PasswordChange.as_view(), name="password"),
    path("language/", views.language, name="language"),
    path("<slug:club>/people/", views.people, name="people"),
    path("<slug:club>/people/<int:pk>/", views.role, name="role"),
    path("<slug:club>/settings/", views.settings_of_club, name="club_settings"),
    path("<slug:club>/log/", views.log_page, name="log"),
]
