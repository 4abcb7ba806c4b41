"""Hand and Foot and its kin on pages and paper."""
