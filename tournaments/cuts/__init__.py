"""Cuts: who goes on from a stage and why, play-offs, lots, and who is next in line."""
