"""Rounds and sets being played: who is here, publishing a draw with its games, closing what was played."""
