"""A season on paper: its table, the twins of its screens, and their addresses."""
