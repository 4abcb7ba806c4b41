"""A small application behind the site's own server: `python -m tests.serving.echo PORT` says what reaches it."""

import json
import sys
import time

from clubsite.serving import web

PIECES = 64  # of a long answer, a megabyte each
seen = []  # the addresses of requests that were given to the application


def application(environ, start_response):
    path = environ["PATH_INFO"]
    body = environ["wsgi.input"].read()
    seen.append(path)
    if path == "/long":
        start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(PIECES * 1024**2))])
        return (b"x" * 1024**2 for _piece in range(PIECES))
    if path == "/slow":
        time.sleep(1)
    told = {key: value for key, value in environ.items() if isinstance(value, str)}
    told |= {"body": len(body), "sum": sum(body), "seen": seen}
    start_response("200 OK", [("Content-Type", "application/json")])
    return [json.dumps(told).encode()]


if __name__ == "__main__":
    web.SILENCE = 1  # a limit that a test can wait for
    web.serve(web.listen_at(web.Place(port=int(sys.argv[1]))), threads=2, application=application)
