"""The settings of rule sets: what can stand in each, which go together, how they are changed."""
