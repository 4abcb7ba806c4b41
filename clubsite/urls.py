"""All addresses of the site."""

from django.templatetags.static import static
from django.urls import include, path
from django.utils.functional import lazy
from django.views.generic import RedirectView, TemplateView

from clubsite.help import club_help, help_page
from clubsite.jobs.orders import order
from clubsite.offline import kept_pass, no_network, service_worker
from tournaments.pages.public import home

handler400 = "clubsite.error_pages.bad_request"
handler404 = "clubsite.error_pages.page_missing"
handler500 = "clubsite.error_pages.request_failed"

urlpatterns = [
    path("", home, name="home"),
    path("favicon.ico", RedirectView.as_view(url=lazy(static, str)("favicon.svg")), name="favicon"),  # beside a PDF
    path("robots.txt", TemplateView.as_view(template_name="robots.txt", content_type="text/plain"), name="robots"),
    path("sw.js", service_worker, name="worker"),
    path("kept/pass/", kept_pass, name="kept_pass"),
    path("kept/no-network/", no_network, name="no_network"),
    path("help/", help_page, name="help"),
    path("help/<slug:chapter>/", help_page, name="help"),
    path("<slug:club>/help/", club_help, name="club_help"),
    path("<slug:club>/help/<slug:chapter>/", club_help, name="club_help"),
    path("", include("clubsite.watch.urls")),
    path("", include("tournaments.site_urls")),
    path("", include("clubsite.operations.urls")),
    path("", include("clubsite.accounts.urls")),
    path("<slug:club>/orders/<uuid:order>/", order, name="order"),
    path("<slug:club>/", include("scoring.urls")),
    path("<slug:club>/", include("tournaments.urls")),
]
