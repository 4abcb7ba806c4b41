"""Seasons: which nights count, how they add up, divisions, teams, and what somebody still needs."""
