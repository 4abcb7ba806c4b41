"""Handicaps: a club's numbers for its games, everybody's handicap, and nights that give them."""
