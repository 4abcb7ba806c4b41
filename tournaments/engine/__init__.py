"""Draws, standings, cuts and seasons: numbers in, decisions out. Pure Python, no Django."""
