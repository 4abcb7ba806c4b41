"""A club's games and deals, out to a file and in again: JSON with all versions, CSV with what stands now.

`records` are what a file says, `table` the same as a table; `stored` reads them from the database, `taking_in`
checks them and writes them. The forms of the files are in docs/deal-files.md.
"""
