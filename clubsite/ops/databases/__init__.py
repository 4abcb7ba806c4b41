"""PostgreSQL for developers and for a hall, and the way from one database to another."""
