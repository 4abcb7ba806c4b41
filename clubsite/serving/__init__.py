"""The web server: granian in front of Django, so that a phone that stops sending in the middle of a request holds
nobody up.

`python -m clubsite.serving` is what `./dev run` starts: everything made ready, the web, and a worker beside it.
`python -m clubsite.serving.web` is the web alone, as a public host runs it.
"""
