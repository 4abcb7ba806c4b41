"""Draws: who sits where in a round, made, kept, changed by hand, and said in words."""
