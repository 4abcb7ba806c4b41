"""What is printed: score cards, seating lists, standings, cut and result sheets, as PDF.

`sheets` says what stands on each document; `from_draws` and `from_results` make that from the models; `cards` and
`lists` turn it into pages of HTML; `clubsite.pdf` makes the file.
"""
