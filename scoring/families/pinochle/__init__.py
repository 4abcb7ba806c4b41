"""The pinochles on pages and paper."""
