"""What holds for all tests of the scoring engine."""

import sys


def pytest_sessionstart():
    """Begin with nothing remembered: a mutant is tried in a fork of a process that has run all its tests before."""
    for name, module in list(sys.modules.items()):
        if name.startswith("scoring.engine."):
            for value in vars(module).values():
                if hasattr(value, "cache_clear"):
                    value.cache_clear()
