"""Tables that score for themselves: a link for each, its page, its codes."""
