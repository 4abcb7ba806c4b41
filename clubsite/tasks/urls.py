"""Addresses of tasks, below the club's."""

from django.urls import path

from clubsite.tasks import views

urlpatterns = [path("orders/<uuid:order>/", views.order, name="order")]
