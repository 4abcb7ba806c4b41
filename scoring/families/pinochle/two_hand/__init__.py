"""Pinochle for two on pages and paper."""
