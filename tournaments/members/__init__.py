"""The club's members: their list, merging two, one person's page, and what is kept of somebody."""
