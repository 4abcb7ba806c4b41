"""Tables that score on their own phones: links, codes, pages."""
