"""How fast and how good the program is, and pictures of its pages, on a demo of its own."""
