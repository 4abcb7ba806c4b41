"""The tasks app: workers, the files that tasks make, orders for them."""

from django.apps import AppConfig


class TasksConfig(AppConfig):
    """What is done apart from the requests."""

    name = "clubsite.tasks"
    label = "tasks"

    def ready(self) -> None:
        """Have files whose task failed marked as failed, and the database checked before it is served."""
        from django.core.checks import Tags, register
        from django_tasks.signals import task_finished

        from clubsite.tasks.files import note_failure
        from clubsite.tasks.secret_key_check import check_database

        task_finished.connect(note_failure, dispatch_uid="files")
        register(check_database, Tags.database)
