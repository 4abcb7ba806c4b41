"""The pure parts of the number pad (static/pad/keys.js and state.js), on a blank page: no card, no touch."""

from urllib.parse import urlsplit

import pytest
from django.conf import settings

from scoring.engine.core.ruleset import shipped
from scoring.engine.families import rules_of
from scoring.families.hand_and_foot import figure_hints
from scoring.families.pinochle import bid_hints, meld_hints, take_hints

pytestmark = pytest.mark.django_db(transaction=True)  # the browser's settings want the server

PLAY = """async () => {
    const [{ hintsOf, faceOf, isNever }, pad] = [await import("/pad/keys.js"), await import("/pad/state.js")];
    self.whole = (figure) =>
        figure && { value: "", fold: null, label: figure.name, ...figure, can: hintsOf(figure.rows) };
    self.play = (figures, keys) => {
        const all = figures.map(whole);
        let focus = null;
        const keysAt = () => ({ rough: false });
        const card = () => ({ figures: all, focus, checked: false, sees: () => true, keysAt });
        let state = pad.begin(card());
        const become = ({ go, put = [], after, ...now }) => {
            state = now;
            if (go) focus = go;
            for (const [name, typed] of put) all.find((figure) => figure.name === name).value = typed;
            if (put.length) state = pad.settle(state, card());
            if (after) become(pad.goOn(state, after, card()));
        };
        for (const key of keys) {
            const touched = all.some(({ name }) => name === key);
            if (touched) focus = key;
            become(touched ? pad.touch(state, key, card()) : pad.press(state, key, card()));
        }
        return [state.target, ...all.map(({ value }) => value)];
    };
    self.faceOf = (figure, other, given) => {
        const { keys, ...face } = faceOf(whole(figure), {
            other: whole(other), focused: true, byDigits: false, hundreds: null, from: "%s and more", ...given,
        });
        return { ...face, names: (keys || []).map(({ name }) => name) };
    };
    self.dimmed = (figure, typed) => [..."0123456789"].filter((key) => isNever(whole(figure), typed, key)).join("");
}"""
"""`play`: press keys, or touch figures by their names; which figure the keys are for then, and what each figure is."""

AS_TYPED = """([figures, values]) => values.map((value) => {
    const keys = [];
    [...value].forEach((digit, place) => {
        keys.push(digit);
        if (place < value.length - 1 && play(figures, keys)[0] !== figures[0].name) keys.push("back", digit);
    });
    return [...play(figures, keys).slice(1), keys.length - value.length];
})"""
"""Each of these values as the first figure; where the keys move on too early, the digit is taken back and typed again.
Gives what the figures are then, and how many touches it took beside the digits."""


@pytest.fixture
def blank(page):
    """A page with nothing in it, of a site that has the scripts."""

    def answer(route):
        name = urlsplit(route.request.url).path.removeprefix("/")
        if name:
            route.fulfill(path=settings.BASE_DIR / "static" / name, content_type="text/javascript")
        else:
            route.fulfill(body="<!DOCTYPE html>", content_type="text/html")

    page.route("http://blank.test/**", answer)
    page.goto("http://blank.test/")
    page.evaluate(PLAY)
    return page


def figure(name, hints):
    """A figure as the view reads it off the card."""
    read = {"name": name, "rows": hints.can, "usual": hints.usual or 10**9, "rare": hints.rare}
    return read | {"small": hints.small, "keys": hints.keys}


def pinochle():
    """The figures of a deal of St. Hilary."""
    rules = rules_of(shipped()["st-hilary-v3"])
    meld, take = meld_hints(rules, partners=True), take_hints(rules)
    pairs = [("meld_0", meld), ("take_0", take), ("meld_1", meld), ("take_1", take)]
    return [figure("bid", bid_hints(rules)), *(figure(name, hints) for name, hints in pairs)]


def hand_and_foot(*names):
    """Figures of a side's card of Hand and Foot; its first three counts."""
    rules = rules_of(shipped()["hand-and-foot"])
    return [figure(name, figure_hints(name, rules)) for name in names or ("clean", "dirty", "wild")]


def split(keys):
    """Names of figures and keys in words, and figures digit by digit."""
    return [key for word in keys.split() for key in (word if word.isdecimal() else [word])]


PINOCHLE = [
    ("20", "meld_0", ["20"]),
    ("20 6", "meld_0", ["20", "6"]),  # or 60 to 69
    ("20 6 next 9", "meld_1", ["20", "6", "9"]),  # 90 can't be taken
    ("75", "meld_0", ["75"]),
    ("20 next 6 next 9", "meld_1", ["20", "6", "9"]),  # Next out of habit skips nothing
    ("20 next next", "take_0", ["20"]),
    ("20 next next next", "meld_1", ["20"]),  # where it has not moved by itself
    ("21 back 0", "meld_0", ["20"]),
    ("15 back 5", "bid", ["15"]),  # the keys moved on at 15 before: this time a longer bid is meant
    ("15 back 50", "meld_0", ["150"]),
    ("15 back 5 next 6 next", "take_0", ["15", "6"]),  # or it was 15 after all
    ("15 20 back back back 50", "meld_0", ["150"]),  # seen late: 20 had gone into the meld
    ("15 bid 150", "meld_0", ["150"]),  # who touches a figure means it, and types it anew
    ("15 bid 20", "bid", ["20"]),
    ("back", "bid", []),
]
COUNTS = [
    ("1", "dirty", ["1"]),
    ("1 2", "wild", ["1", "2"]),
    ("1 back 12", "dirty", ["12"]),
    ("1 2 back back 12", "dirty", ["12"]),
    ("1 back 1 next 2", "wild", ["1", "2"]),
    ("1 2 0", None, ["1", "2", "0"]),
    ("1 2 0 5", None, ["1", "2", "0"]),  # every figure is there: the keys change nothing
    ("1 2 0 back 1", None, ["1", "2", "1"]),
]


@pytest.mark.parametrize(("figures", "cases"), [(pinochle, PINOCHLE), (hand_and_foot, COUNTS)])
def test_where_the_keys_go(blank, figures, cases):
    card = figures()
    for keys, target, values in cases:
        now = blank.evaluate("([figures, keys]) => play(figures, keys)", [card, split(keys)])
        assert now == [target, *values, *[""] * (len(card) - len(values))], keys


@pytest.mark.parametrize("figures", [pinochle, hand_and_foot])
def test_every_figure_that_a_card_can_have_is_typed(blank, figures):
    """A usual one by its digits alone, any other with at most two touches more."""
    both = figures()[:2]
    can = "(figure) => Array.from({ length: 2000 }, (_, n) => String(n)).filter(whole(figure).can.is)"
    values = blank.evaluate(can, both[0])
    assert {int(value) <= both[0]["usual"] for value in values} == {True, False}
    for value, (first, second, more) in zip(values, blank.evaluate(AS_TYPED, [both, values]), strict=True):
        assert (first, second) == (value, "")
        assert more <= (0 if int(value) <= both[0]["usual"] else 2)


def test_which_keys_a_window_has_room_for(blank):
    def face(*names, width=390, height=844, **more):
        one, other = [*hand_and_foot(*names), None][:2]
        given = {"width": width, "height": height, **more}
        return blank.evaluate("(given) => faceOf(...given)", [one, other, given])

    counts = face("clean", "dirty")
    assert counts["pair"]["name"] == "dirty"
    assert {"0&0", "4&2", "7&5", "10&"} <= set(counts["names"])
    assert not face("clean", "dirty", height=560)["offers"]  # the fields would have no room above so many keys
    assert face("melded")["names"] == [f"~{100 * place}" for place in range(20)]
    assert face("melded", hundreds=1000)["names"] == [f"={figure}" for figure in range(1000, 1100, 5)]
    assert face("melded", height=560)["rough"]
    assert not face("melded", width=320, height=560)["offers"]
    assert face("left")["names"][:3] == ["=0", "=5", "=10"]
    assert face("left")["wide"]
    assert not face("left", height=560)["wide"]
    digits = face("melded", byDigits=True)
    assert (digits["offers"], digits["rough"], digits["names"]) == (True, False, [])


def test_a_key_is_dimmed_where_no_figure_goes_on_so(blank):
    bid, _meld, take = pinochle()[:3]
    for given, dimmed in [([bid, ""], "0"), ([take, ""], ""), ([take, "2"], "6789"), ([{"rows": ""}, "77"], "")]:
        assert blank.evaluate("(given) => dimmed(...given)", given) == dimmed
