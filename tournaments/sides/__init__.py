"""Sides that stay together, from a list: a pair or team in each row, looked at, then entered all at once."""
