"""The site's addresses, and the bare page that posts are compared with: it writes one row, and does nothing else."""

from datetime import timedelta
from uuid import uuid4

from django.contrib.sessions.models import Session
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import include, path
from django.utils import timezone
from django.views.decorators.http import require_POST

BARE = "/bare/"


@require_POST
def bare(request: HttpRequest) -> HttpResponse:
    Session.objects.create(
        session_key=uuid4().hex, session_data=request.POST.get("said", ""), expire_date=timezone.now() - timedelta(1)
    )
    return HttpResponseRedirect(BARE)


urlpatterns = [path("bare/", bare, name="bare"), path("", include("clubsite.urls"))]
