"""Pages about several subjects: the front page, the desks, an entry, an event, the hall board."""
