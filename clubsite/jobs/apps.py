from django.apps import AppConfig


class JobsConfig(AppConfig):
    name = "clubsite.jobs"
    label = "tasks"

    def ready(self) -> None:
        from django.core.checks import Tags, register
        from django_tasks.signals import task_finished

        from clubsite.jobs.files import note_failure
        from clubsite.jobs.secret_key_check import check_database

        task_finished.connect(note_failure, dispatch_uid="files")
        register(check_database, Tags.database)
