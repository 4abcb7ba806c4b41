"""Pages of HTML made into a PDF: `documents` gives the file, rendered by `render` in a process of its own and kept.

The packages that print a document say what is on it: `scoring.house_rules.views`, `tournaments.documents`.
"""
