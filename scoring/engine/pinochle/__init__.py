"""Pinochle: with partners, for three, and what all of its games share; `two_hand` for two."""
