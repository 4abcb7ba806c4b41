"""Prizes of an event: which there are, who wins them by its result, published in versions."""
