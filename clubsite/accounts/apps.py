"""The accounts app: people who log in, clubs, roles, members, the log."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Clubs and who may do what in them."""

    name = "clubsite.accounts"
    label = "accounts"
