"""Hand and Foot, Canasta and their like: the card, its checks, true deals."""
