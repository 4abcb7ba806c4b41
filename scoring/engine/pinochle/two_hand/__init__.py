"""Pinochle for two: melds laid one by one while the stock is drawn."""
