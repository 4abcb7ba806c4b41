"""English as in the United States."""
