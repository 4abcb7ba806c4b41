"""Paper: sizes of sheets, and pages of HTML made into a PDF.

`pdf` gives the file, rendered by `render` in a process of its own and kept; `several` puts pages together on a sheet,
`answer` sends the file to a browser, `picture` draws its first sheet small. What stands on a document, the packages say
that print it: `scoring.house_rules.on_paper`, `tournaments.documents`.
"""
