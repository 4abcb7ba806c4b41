"""A club's house rules: changed and published, in words, on paper."""
