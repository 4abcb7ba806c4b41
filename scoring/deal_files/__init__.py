"""Files of deals: games to be scored or taken into a club, and a club's games as a file (docs/deal-files.md).

`formats` has the two formats as models: reading, writing and the JSON Schemas go by them.
"""
