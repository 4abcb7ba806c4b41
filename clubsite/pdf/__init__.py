"""Pages of HTML made into a PDF: `documents` gives the file, rendered by `render` in a process of its own and kept.

What stands on a document, the packages say that print it: `scoring.house_rules.views`, `tournaments.documents`.
"""
