"""What each kind of database does in its own way: copying it, asking a copy, putting a whole one in its place."""
