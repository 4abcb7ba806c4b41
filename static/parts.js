/* Parts of a page that htmx makes anew while somebody is at them. */
(() => {
  "use strict";
  /* Who goes by keys stays where they were when a part is made anew by itself: htmx itself knows only what has an id.
     Not on a button: one that reads the same may do something else now. */
  const sign = (one) => [one.closest("[id]")?.id, one.href, one.matches("summary") || one.textContent].join("\n");
  const alike = ({ name, said }) => [...document.querySelectorAll(name)].filter((one) => sign(one) === said);
  let left = null;
  let unfolded = [];
  document.addEventListener("htmx:beforeSwap", () => {
    unfolded = [...document.querySelectorAll("details[id][open]")].map((one) => one.id);
    const here = document.activeElement;
    left = here.matches("a, summary") ? { here, name: here.localName, said: sign(here) } : null;
    if (left) left.place = alike(left).indexOf(here);
  });
  document.addEventListener("htmx:afterSwap", () => {
    for (const id of unfolded) document.getElementById(id)?.setAttribute("open", "");
    if (left && !left.here.isConnected && document.activeElement === document.body) {
      alike(left)[left.place]?.focus({ preventScroll: true });
    }
  });
  /* Names that are pressed wait for their turn, and htmx forgets those whose list is replaced: a search comes after them */
  const pressed = "button.htmx-request";
  let search = null;
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (!detail.requestConfig.elt.matches("[role=search]") || !detail.target.querySelector(pressed)) return;
    detail.shouldSwap = false;
    search = detail.requestConfig.elt;
  });
  for (const done of ["htmx:afterSettle", "htmx:afterRequest"]) document.addEventListener(done, () => { // or refused
    if (!search || document.querySelector(pressed)) return;
    window.htmx.trigger(search, "submit");
    search = null;
  });
})();
