"""What stands between the site and whatever is sent to it: limits of a request, what is typed, headers of answers.

`doorway` goes round the whole site, `typed` just round the pages; `refusing` makes the page that says what was wrong.
"""
