"""Backups, one file each, made automatically and on request; and going back to one, for the whole site or one club."""
