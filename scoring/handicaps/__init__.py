"""The handicap between two players, from game to game."""
