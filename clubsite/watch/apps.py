from django.apps import AppConfig
from django.core.signals import request_finished


class WatchConfig(AppConfig):
    name = "clubsite.watch"
    label = "watch"

    def ready(self) -> None:
        """Delete what is over its time with each clean-up, and forget each request when it is over."""
        from clubsite.jobs.periodic import ALSO
        from clubsite.watch import logs
        from clubsite.watch.retention import purge_personal_data

        ALSO.append(purge_personal_data)
        request_finished.connect(logs.forget_request, dispatch_uid="watch")
