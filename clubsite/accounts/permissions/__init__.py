"""Who may do what: one table (`table`), the gate that every request goes through (`gate`), its print for the docs."""
