"""Entries: who takes part, under which name, with which partner."""
