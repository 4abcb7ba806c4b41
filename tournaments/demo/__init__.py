"""The demo: loaded by `manage.py demo` or the guided start, removed by its director."""
