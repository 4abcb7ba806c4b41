"""The scoring engine: pure Python, no Django, no clock, no files but the shipped rule sets."""
