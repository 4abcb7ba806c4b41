"""What is kept of one person: all of it as a file, and erasing it."""
