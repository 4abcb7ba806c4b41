"""A cache in files that survives a full or read-only disk: what can't be kept is made again when it is wanted."""

from __future__ import annotations

from typing import Any

from django.core.cache.backends.filebased import FileBasedCache


def _forgiving(name: str, instead: object) -> Any:
    """The method of this name of Django's cache in files; where the disk refuses, it returns `instead`."""

    def method(self: FileBasedCache, *args: Any, **kwargs: Any) -> Any:
        try:
            return getattr(FileBasedCache, name)(self, *args, **kwargs)
        except OSError:
            return instead

    return method


class ForgivingFiles(FileBasedCache):
    """Django's cache in files; where the disk refuses, nothing is kept, and no page fails because of that."""

    _createdir = _forgiving("_createdir", None)
    set = _forgiving("set", None)
    add = _forgiving("add", True)  # where nothing can be kept, there never is a value
    delete = _forgiving("delete", False)

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:  # noqa: PLR0917  (Django's)
        """The value that is kept, or the default."""
        try:
            return super().get(key, default, version)
        except OSError:
            return default
