"""Prizes of an event: the plan, the winners by the published result, published versions."""
