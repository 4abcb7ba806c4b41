"""Deal files: read, written, described, and scored."""
