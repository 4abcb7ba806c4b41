"""Guards the site against whatever is sent to it: limits of a request, cleaning of what is typed, safe headers.

`doorway` is middleware around everything, `typed` just around the pages; `refusing` makes the page that says why.
"""
