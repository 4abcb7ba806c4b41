"""A part of a club's front page in a page of another site: shown in its frame, while no other page is."""

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from playwright.sync_api import expect

from tests.tournaments.nights import make_night


@pytest.fixture
def parish():
    """Another site, whose page has frames of the addresses in its query."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self):
            frames = "".join(f'<iframe src="{src}"></iframe>' for src in self.path.partition("?")[2].split(","))
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(frames.encode())

        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}/"
    server.shutdown()
    server.server_close()


def test_a_page_of_another_site_shows_the_part_and_no_other_page(new_context, live_server, club, rules_for, parish):
    make_night(club, rules_for("st-hilary-v3"))
    page = new_context(may_say=["Framing"]).new_page()
    page.goto(f"{parish}?{live_server.url}/st-hilary/embed/next/,{live_server.url}/st-hilary/")
    framed, refused = page.frame_locator("iframe").nth(0), page.frame_locator("iframe").nth(1)
    expect(framed.get_by_role("link", name="Night friday")).to_have_attribute("target", "_blank")
    expect(refused.get_by_text("Night friday")).to_have_count(0)
    expect(refused.get_by_role("main")).to_have_count(0)
