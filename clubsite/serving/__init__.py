"""The web server: waitress in front of Django.

`python -m clubsite.serving` is what `./dev run` starts: everything made ready, the web, and a worker beside it.
`python -m clubsite.serving.web` is the web alone, as a public host runs it.
"""
