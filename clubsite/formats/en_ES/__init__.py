"""English in Spain."""
