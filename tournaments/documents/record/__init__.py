"""The full record of an event for the archive.

Who took part, every draw with what it says of itself, every deal with its lines and versions, rulings, cuts with their
reasons, standings, the result, and the log in its order.
"""
