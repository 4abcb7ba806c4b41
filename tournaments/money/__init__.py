"""The treasurer's book: fees in, prizes out, other amounts, and what is left. Lines are only ever added."""
