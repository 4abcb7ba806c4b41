"""What people do on the pages: log in, type a deal, save it, read what came of it."""

import re

from playwright.sync_api import expect

from scoring.cards.queries import card_of
from scoring.cards.submit import deal_form
from scoring.models import Game
from tests.conftest import PASSWORD

KEPT = """(await import(document.querySelector('link[href*="/kept."]').href))"""
"""In a page with a card or a grid: the module of what its phone keeps, to be used in an async function."""


def open_menu(page):
    """On a phone the way round is behind a button; the page must be there, as this doesn't wait for it."""
    menu = page.get_by_role("button", name="Menu", exact=True)
    if menu.is_visible():
        menu.click()


def log_in(page, username):
    page.goto("/")
    open_menu(page)
    page.get_by_role("link", name="Log in").click()
    page.get_by_label("Log-in name").fill(username)
    page.get_by_label("Password").fill(PASSWORD)
    with page.expect_navigation():
        page.get_by_role("button", name="Log in", exact=True).click()
    open_menu(page)
    expect(page.get_by_role("button", name=f"Log out {username}")).to_be_visible()


STANDS = """(form, [name, value]) => {
    const fields = [...form.querySelectorAll(`[name="${name}"]`)];
    if (!fields.length) { return null; }
    const kind = fields[0].getAttribute("type");
    const field = kind === "radio" ? fields.find(one => one.value === value) : fields[0];
    const visible = element => Boolean(element) && element.checkVisibility({ visibilityProperty: true });
    return {
        kind, id: field.id, tag: field.localName, value: field.value, checked: field.checked, visible: visible(field),
        labelled: visible(form.querySelector(`label[for="${field.id}"]`)),
    };
}"""
"""How a field of a form stands, asked at once: a question for each of these took more than the typing."""


def type_deal(page, game, facts):
    """Fill the form for a deal with what stands on the paper card, and unfold what is rarely needed if it is."""
    form = page.locator("form.deal-form")
    form.wait_for()  # what follows asks which fields there are, and doesn't wait for the next page
    for name, value in deal_form(card_of(game)).field_values(facts).items():
        stands = form.evaluate(STANDS, [name, str(value)])
        if stands is None and value in ("", "played", 0):
            continue  # these rules don't ask
        field = form.locator(f"[name={name}]")
        if stands is None:
            field.first.wait_for(state="attached")
            stands = form.evaluate(STANDS, [name, str(value)])
        text = stands["kind"] in ("text", "number")
        to_be_emptied = stands["kind"] == "text" and stands["visible"] and stands["value"]
        if value is False or (value in ("", "played") and not to_be_emptied):
            continue  # as the form stands when it is empty
        if not stands["labelled"]:
            form.locator("details").filter(has=page.locator(f"[name={name}]")).locator("summary").click()
        if text:
            field.fill(str(value))
        elif stands["tag"] == "select":
            field.select_option(str(value))
        elif not stands["checked"]:
            form.locator(f"label[for='{stands['id']}']").click()


def save(page):
    with page.expect_navigation():
        page.get_by_role("button", name="Save", exact=True).click()


def record(page, game, facts):
    """Type a deal and save it; what is unlikely but true is confirmed when the page asks."""
    type_deal(page, game, facts)
    save(page)
    sure = page.get_by_label("Yes, the card says so")
    if sure.count():
        sure.check()
        save(page)
    expect(said(page)).to_contain_text("is recorded")


def game_of(page):
    number = re.search(r"/games/(\d+)/", page.url)
    return Game.objects.select_related("rules", "club").get(pk=int(number[1]))


def said(page):
    return page.locator("ul.messages")


def next_is(page, heading):
    """The page proposes this as the next step, and all that stands below it is there, too."""
    expect(page.locator(".what-next h2")).to_have_text(heading)
    page.wait_for_load_state()


def step(page, name):
    """Press what the next step offers, or a page on which there is nothing yet."""
    offered = page.locator(".what-next, .empty")
    offered.get_by_role("link", name=name).or_(offered.get_by_role("button", name=name)).click()


def wait_until(page, true, what):
    """Let the page go on until something is true that no locator can tell. AssertionError names it after a minute."""
    for _look in range(600):
        if true():
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"waited a minute for {what}")


class Gate:
    """Lets the requests of a page to an address through until it is shut, and then holds them until it is opened.

    It loads the page again: of one that was open before it, a request can slip past.
    """

    def __init__(self, page, address):
        self.page, self.is_shut = page, False
        self.held = []
        page.route(address, self._arrived)
        page.reload()

    def _arrived(self, route):
        if self.is_shut:
            self.held.append(route)
        else:
            route.continue_()

    def shut(self):
        self.is_shut = True

    def open(self):
        """Wait until something is held, and let it and all that comes later through."""
        wait_until(self.page, lambda: bool(self.held), "a request on its way")
        self.is_shut = False
        while self.held:
            self.held.pop(0).continue_()


class LateScript:
    """A script that comes to pages only when it is let: until then they stand there as on a slow network."""

    def __init__(self, page, name):
        self.gate = Gate(page, re.compile(rf"/{name}\.([0-9a-f]+\.)?js$"))
        self.gate.shut()

    def comes(self):
        self.gate.open()
        self.gate.page.wait_for_load_state()


def overflow(page):
    """How many pixels of the page stand out beyond the window, to be scrolled to sideways."""
    page.wait_for_load_state()  # a click may just have asked for another page
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


def torn_words(page, selector):
    """The words in what a selector finds that stand on two lines: letters of them were left over."""
    page.evaluate("document.fonts.ready")
    return page.evaluate(
        """(selector) => [...document.querySelectorAll(selector)].flatMap((one) => {
            const texts = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
            const range = document.createRange(), torn = [];
            while (texts.nextNode()) {
                for (const { 0: word, index } of texts.currentNode.data.matchAll(/[^\\s-]+-?/g)) {
                    range.setStart(texts.currentNode, index);
                    range.setEnd(texts.currentNode, index + word.length);
                    if (range.getClientRects().length > 1) torn.push(word);
                }
            }
            return torn;
        })""",
        selector,
    )
