"""Who may do what: one table (`table`), the gate that every request goes through (`gate`), its page in the docs
(`document`)."""
