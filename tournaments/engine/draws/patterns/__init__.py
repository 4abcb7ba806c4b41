"""Draws known beforehand: constructed by a rule, or stored as long searches found them."""
