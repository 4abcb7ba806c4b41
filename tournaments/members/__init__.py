"""The club's members: their list, merging two, one person's page, and all data about somebody."""
