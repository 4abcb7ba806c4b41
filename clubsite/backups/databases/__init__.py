"""What SQLite and PostgreSQL each do in their own way: copying the database, querying a copy, replacing it as a
whole."""
