"""Rulings: what a director changes during an event, with a preview of its effects."""
