"""A season on paper: its table, the paper twins of its screens, and their addresses."""
