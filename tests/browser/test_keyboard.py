"""Directors' pages by keyboard alone: Tab comes to everything once, where it is is seen, and nothing holds it fast."""

import pytest

from tests.browser.test_accessible import director, for_directors, house, on_each

__all__ = ["director", "for_directors", "house"]  # fixtures

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.proof]  # two minutes

MOST = 700  # presses of Tab on one page
PARTS = 12  # of a field for a date, each of which Tab comes to
FOCUS = """() => {
  const one = document.activeElement;
  if (!one || one === document.body) return null;
  window.__met ??= new Map();
  const again = __met.has(one);
  if (!again) __met.set(one, __met.size);
  const shown = one.matches(".btn-check") ? one.labels[0] : one;
  const box = shown.getClientRects()[0] || shown.getBoundingClientRect();  // the first line of a link of two
  const style = getComputedStyle(one), labels = [...(one.labels || [])];
  const x = Math.min(Math.max(box.left + box.width / 2, 0), innerWidth - 1);
  const y = Math.min(Math.max(box.top + Math.min(box.height, 24) / 2, 0), innerHeight - 1);
  const there = document.elementFromPoint(x, y);
  const ringed = [one, ...labels].some((it) => getComputedStyle(it).outlineStyle !== "none");
  return {
    again, number: __met.get(one), html: one.outerHTML.slice(0, 120), by: there ? there.outerHTML.slice(0, 80) : "",
    ringed: ringed || style.boxShadow !== "none",
    inSight: box.bottom > 0 && box.top < innerHeight && box.width > 0,
    covered: !one.closest(".table-scroll") && there
      && !(one.contains(there) || there.contains(one) || labels.some((label) => label.contains(there))),
    forced: one.tabIndex > 0,
  };
}"""


def stumbles(page):
    """What is in the way of somebody who goes through the page by Tab."""
    found = []
    last, stayed = -1, 0
    for _press in range(MOST):
        page.keyboard.press("Tab")
        now = page.evaluate(FOCUS)
        if now is not None and (now["covered"] or not now["inSight"]):  # it may still be scrolling
            page.wait_for_timeout(250)
            now = page.evaluate(FOCUS) | {"again": now["again"]}
        if now is None:
            return found
        stayed = stayed + 1 if now["number"] == last else 0
        if stayed > PARTS:
            return [*found, f"held fast: {now['html']}"]
        if now["again"] and not stayed:
            return found
        last = now["number"]
        wrong = [name for name in ("covered", "forced") if now[name]]
        needed = ("inSight",) if stayed else ("ringed", "inSight")  # a part of a field for a date has a ring of its own
        wrong += [f"not {name}" for name in needed if not now[name]]
        if wrong:
            found.append(f"{', '.join(wrong)}: {now['html']} {now['by']}")
    return [*found, "no end"]


@pytest.mark.parametrize("width", [390, 1366])
def test_tab_comes_to_everything_and_is_seen(signed_in, director, for_directors, width):
    page = signed_in(director, viewport={"width": width, "height": 768})
    found = on_each(page, for_directors, lambda page, _name: stumbles(page))
    assert found == {}, "\n".join(f"{name}: {what}" for name, what in found.items())
