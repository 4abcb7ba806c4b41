"""Standings: the order of a stage as it is, with handicap, and published as the result."""
