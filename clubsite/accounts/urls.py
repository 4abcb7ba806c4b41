"""Addresses of logging in and of a club's people."""

from django.contrib.auth.views import LogoutView
from django.urls import path

from clubsite.accounts import views
from clubsite.accounts.entrance import views as entrance_views
from clubsite.accounts.factor import views as factor_views
from clubsite.accounts.invitations import views as invitation_views

urlpatterns = [
    path("login/", views.Login.as_view(), name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("password/", views.PasswordChange.as_view(), name="password"),
    path("password/lost/", invitation_views.lost, name="lost"),
    path("password/new/<uidb64>/<token>/", invitation_views.NewByMail.as_view(), name="password_reset_confirm"),
    path("password/factor/", factor_views.factor, name="factor"),
    path("login/factor/", factor_views.login_factor, name="login_factor"),
    path("start/people/", factor_views.owner_people, name="owner_people"),
    path("password/sessions/", entrance_views.sessions, name="sessions"),
    path("login/invitation/", invitation_views.invited, name="invited"),
    path("login/invitation/<str:code>/", invitation_views.invited_with, name="invited_with"),
    path("language/", views.language, name="language"),
    path("<slug:club>/people/", views.people, name="people"),
    path("<slug:club>/people/invite/", invitation_views.invite, name="invite"),
    path("<slug:club>/people/invitations/<int:pk>/", invitation_views.invitation, name="invitation"),
    path("<slug:club>/people/<int:pk>/", views.role, name="role"),
    path("<slug:club>/people/<int:pk>/password/", invitation_views.role_password, name="role_password"),
    path("<slug:club>/settings/", views.settings_of_club, name="club_settings"),
    path("<slug:club>/log/", views.log_page, name="log"),
]
