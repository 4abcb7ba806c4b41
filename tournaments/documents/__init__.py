"""What is printed: score cards, seating lists, standings, cut and result sheets, as PDF.

`sheets` says what stands on each document, `build` makes that from the models, `cards` and `lists` turn it into pages
of HTML; `clubsite.paper` makes the file.
"""
