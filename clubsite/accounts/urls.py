"""Addresses of logging in and of a club's people."""

from django.contrib.auth.views import LogoutView
from django.urls import path

from clubsite.accounts import doors, face, invitations, two_factor, views

urlpatterns = [
    path("login/", views.Login.as_view(), name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("password/", views.PasswordChange.as_view(), name="password"),
    path("password/lost/", invitations.lost_password, name="lost"),
    path("password/new/<uidb64>/<token>/", invitations.NewPasswordByMail.as_view(), name="password_reset_confirm"),
    path("password/factor/", two_factor.factor, name="factor"),
    path("login/factor/", two_factor.login_factor, name="login_factor"),
    path("start/people/", two_factor.owner_people, name="owner_people"),
    path("password/sessions/", views.sessions, name="sessions"),
    path("login/invitation/", invitations.type_code, name="invited"),
    path("login/invitation/<str:code>/", invitations.use_code, name="invited_with"),
    path("language/", views.language, name="language"),
    path("<slug:club>/people/", views.people, name="people"),
    path("<slug:club>/people/invite/", invitations.invite, name="invite"),
    path("<slug:club>/people/invitations/<int:pk>/", invitations.invitation, name="invitation"),
    path("<slug:club>/people/<int:pk>/", views.role, name="role"),
    path("<slug:club>/people/<int:pk>/password/", invitations.role_password, name="role_password"),
    path("<slug:club>/settings/", views.club_settings, name="club_settings"),
    path("<slug:club>/settings/link/", doors.club_link, name="club_link"),
    path("<slug:club>/in/<str:key>/", doors.member_link, name="member_link"),
    path("site/colours/<slug:colour>.css", face.colour_styles, name="colour_styles"),
    path("<slug:club>/crest/<slug:version>.png", face.crest, name="crest"),
    path("<slug:club>/log/", views.log_page, name="log"),
]
