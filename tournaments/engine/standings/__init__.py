"""The order of those who played: tie-breaks, ranks, and who goes on at a cut."""
