"""Our replacements for parts of Django, named in the settings: the cache, compression, static files, template
loading, fields of forms."""
