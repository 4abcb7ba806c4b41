"""Advice: which formats fit a number of people and a length of time, and how imagined events of each went."""
