"""Letting somebody in who has no password: an invitation to a club, or a code in place of a password that is lost."""
