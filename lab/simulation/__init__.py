"""A simulated director who does anything at any time, and what must be true of an event after everything they do."""
