"""Games outside events: one is started, and the names on its card are put right."""
