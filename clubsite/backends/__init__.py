"""Fields of forms, for the whole site: named in the settings."""
