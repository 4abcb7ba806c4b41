"""What the settings put in place of parts of Django: the cache, the compression of pages, how templates are read."""
