"""The accounts app: people who log in, clubs, roles, members, the log."""

from django.apps import AppConfig
from django.core.checks import Tags, register


class AccountsConfig(AppConfig):
    name = "clubsite.accounts"
    label = "accounts"

    def ready(self) -> None:
        from django.contrib.auth.signals import user_logged_in

        from clubsite.accounts.permissions.gate import check_addresses
        from clubsite.accounts.sessions import note_log_in

        register(check_addresses, Tags.urls)
        user_logged_in.connect(note_log_in, dispatch_uid="clubsite.accounts.entrance")
