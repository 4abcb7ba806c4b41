"""Imagined events: what draws, formats and competitions bring when chance and skill play."""
