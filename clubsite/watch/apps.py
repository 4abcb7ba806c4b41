from django.apps import AppConfig
from django.core.signals import request_finished


class WatchConfig(AppConfig):
    name = "clubsite.watch"
    label = "watch"

    def ready(self) -> None:
        from clubsite.jobs.periodic import CLEAN_UPS
        from clubsite.watch import logs
        from clubsite.watch.retention import purge_personal_data

        CLEAN_UPS.append(purge_personal_data)
        request_finished.connect(logs.forget_request, dispatch_uid="watch")
