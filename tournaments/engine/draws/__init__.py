"""Who sits where: rotations, groups of a competition, wishes, and the search for a good draw."""
