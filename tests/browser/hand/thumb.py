"""A thumb on a phone: it touches what is in sight and counts, and it never scrolls."""

import re

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

DIMMED = re.compile(r"\bis-never\b")  # the class of a key with which no figure goes on

# What lies at the middle of an element, if that is the element itself or in it; a button over a picture counts as it.
IN_REACH = """element => {
  const box = element.getBoundingClientRect();
  const found = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return Boolean(found) && (element === found || element.contains(found));
}"""
LOOKS, BETWEEN = 20, 50  # how often somebody looks again before giving up, and milliseconds between


class Thumb:
    """Touches, counted. Raises AssertionError where something isn't in sight: that would take a swipe."""

    def __init__(self, page):
        self.page, self.touches = page, 0

    def tap(self, spot):
        """Touch the middle of something in sight, or that comes into sight by itself: the bar may still be growing."""
        looks = 0
        while not spot.evaluate(IN_REACH):
            assert looks < LOOKS, f"{spot} is out of sight, or something lies over it"
            self.page.wait_for_timeout(BETWEEN)
            looks += 1
        box = spot.bounding_box()
        self.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.touches += 1

    def choose(self, name, value):
        """Touch one of the big buttons of a question."""
        radio = self.page.locator(f"form.deal-form [name={name}][value='{value}']")
        self.tap(self.page.locator(f"label[for='{radio.get_attribute('id')}']"))

    def key(self, key):
        """Touch a key of the pad: a figure, "back", "minus" or "next"."""
        self.tap(self.page.locator(f".number-pad [data-key='{key}']:visible"))

    def figures(self, typed):
        """Touch the keys of a figure, where the pad stands: its hundreds and then the whole where it offers them, the
        whole alone where it is there at once."""
        if self.page.locator(".number-pad.is-rough").count():
            hundreds = f"~{int(typed) // 100 * 100}"
            if self.page.locator(f".number-pad [data-key='{hundreds}']:visible").count():
                self.key(hundreds)
            if self.page.locator(f".number-pad [data-key='={typed}']:visible").count():
                self.key(f"={typed}")
                return
            self.key("face")  # no deal has such a figure: digit by digit it can be typed all the same
        for key in str(typed):
            self.key("minus" if key == "-" else key)

    def fill(self, fields):
        """Type these figures field after field, each where the pad has gone by itself, or goes with Next; two of them
        in one touch where the pad asks for both and has a key for them.
        """
        done = set()
        for name, value in fields.items():
            if name in done:
                continue
            if self.where() != name:
                self.key("next")
            assert self.where() == name
            other = self.page.locator("form.deal-form .is-with")
            second = other.get_attribute("name") if other.count() else None
            if second is None:
                self.figures(value)
                continue
            for both in (f"{value}&{fields[second]}", f"{value}&", f"&{fields[second]}"):
                if self.page.locator(f".number-pad [data-key='{both}']:visible").count():
                    self.key(both)
                    break
            else:
                raise AssertionError(f"no key says {name} {value} and {second} {fields[second]}")
            done |= {n for n, said in zip((name, second), both.split("&"), strict=True) if said}

    def where(self):
        """The name of the field into which the pad types; None where a figure has to be touched first."""
        field = self.page.locator("form.deal-form .is-next")
        return field.get_attribute("name") if field.count() else None

    def save(self):
        with self.page.expect_navigation():
            self.tap(self.page.get_by_role("button", name="Save", exact=True))


def key(page, name):
    return page.locator(f".number-pad [data-key='{name}']")
