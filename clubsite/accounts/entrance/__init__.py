"""Logging in: from which address and device somebody comes, and how often they may try."""
