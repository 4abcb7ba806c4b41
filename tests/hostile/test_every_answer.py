"""Every address of the site, answered well or not: safe headers, nothing private kept by a browser or a proxy, and no
form taken without its token."""

import pytest
from django.test import Client

from clubsite.accounts.permissions.table import LINES, Who
from clubsite.request_limits import HEADERS
from tests.examples import WHOLE, in_turn
from tests.test_every_page import made_site

BY_LINK = {  # the link is the token
    "table", "table_game", "table_live_check", "table_right", "table_news", "table_who", "table_deal", "table_say",
}  # fmt: skip
WITHOUT_TOKEN = {"language"}  # it stands on pages that are the same for everybody, and changes a cookie alone
FOR_GOOD = {"colour_styles", "crest"}  # public, and never another under the same address
FRAMED = {"embed"}  # other sites show it in a frame
KEPT_BY_BROWSERS = {"document_picture"}  # of a sheet: for a minute, by the browser of who may see it


@pytest.fixture
def site(club, actor, rules_for):
    return made_site(club, actor, rules_for("st-hilary-v3"))


@WHOLE
def test_every_answer_has_the_safe_headers_and_no_form_is_taken_without_its_token(site, director, client_of, whole):
    """Outside a proof half of the pages are looked at; every form is sent without its token."""
    visitor, strict = client_of(director), Client(enforce_csrf_checks=True)
    strict.force_login(director)
    kept = []
    unguarded = []
    bare = []
    for name, line in sorted(LINES.items()):
        public = bool((line.opens | line.sends) & {Who.ANYONE, Who.TABLE})
        url = site.urls(name)[0]
        if (whole or in_turn(name)) and name not in FOR_GOOD:
            answer = visitor.get(url)
            needed = HEADERS.keys() - ({"X-Frame-Options"} if name in FRAMED else set())
            bare += [url for header in needed if header not in answer.headers]
            caching = answer.headers.get("Cache-Control", "")
            private = line.opens and not public and name not in KEPT_BY_BROWSERS
            if (private and "no-store" not in caching) or ("private" not in caching and "no-cache" not in caching):
                kept.append(f"{name}: {caching}")
        sent = strict.post(url, {"step": "add"})
        bare += [url for header in HEADERS if header not in sent.headers]
        if sent.status_code != 403 and name not in BY_LINK | WITHOUT_TOKEN and not public:
            unguarded.append((name, sent.status_code))
    assert (bare, kept, unguarded) == ([], [], [])
