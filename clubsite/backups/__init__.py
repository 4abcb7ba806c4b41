"""Backups: one file each, made by themselves and when asked; and the way back to one, for the whole site or a club."""
