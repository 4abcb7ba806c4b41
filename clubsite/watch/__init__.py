"""Looking after the site from outside: whether it is well, its faults, what is kept for how long."""
