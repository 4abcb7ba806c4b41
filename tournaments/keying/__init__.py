"""Paper in: a scorekeeper's grid for a round, by keyboard alone; a second keying, and where the two differ."""
