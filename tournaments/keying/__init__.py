"""Keying paper cards: a grid for a round, used by keyboard alone; a second keying, and the differences."""
