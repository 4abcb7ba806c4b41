"""Paper: sizes of sheets, and pages of HTML made into a PDF.

`pdf` gives the file, rendered by `render` in a process of its own and kept; `answer` sends it to a browser. What stands
on a document, the packages say that print it: `scoring.house_rules.on_paper`, `tournaments.documents`.
"""
