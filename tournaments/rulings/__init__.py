"""Rulings: what a director changes while an event is played, and what that would move, shown first."""
