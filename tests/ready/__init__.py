"""What is slow to start, started once for many tests."""
