"""English in Mexico."""
