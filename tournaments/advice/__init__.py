"""Advice: which formats fit so many people for so long, and what imagined events of each brought."""
