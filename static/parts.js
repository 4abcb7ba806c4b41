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
  /* Names that are pressed wait for their turn, and htmx forgets those whose list is replaced or whose page is left: a
     search or a link comes after them, and whatever else would leave the page has to be confirmed */
  const pressed = ".tick[aria-busy=true]";
  let next = null; // what comes after them
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    const search = detail.requestConfig.elt;
    if (!search.matches("[role=search]") || !detail.target.querySelector(pressed)) return;
    detail.shouldSwap = false;
    next = () => window.htmx.trigger(search, "submit");
  });
  document.addEventListener("htmx:confirm", ({ detail }) => { // sent now, or when it is its turn
    if (detail.elt.matches(".tick")) detail.elt.setAttribute("aria-busy", "true");
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    const leaves = link && !event.ctrlKey && !event.metaKey && !event.shiftKey && !link.matches("[href^='#'], [target]");
    if (!leaves || !document.querySelector(pressed)) return;
    event.preventDefault();
    document.getElementById("people").setAttribute("aria-busy", "true");
    next = () => location.assign(link.href);
  });
  window.addEventListener("beforeunload", (event) => { if (document.querySelector(pressed)) event.preventDefault(); });
  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    detail.elt.removeAttribute("aria-busy"); // refused, else its answer has replaced it
    if (!detail.successful && detail.elt.matches(".tick")) next = null; // stay where the page says so
  });
  for (const done of ["htmx:afterSettle", "htmx:afterRequest"]) document.addEventListener(done, () => {
    if (!next || document.querySelector(pressed)) return;
    document.getElementById("people").removeAttribute("aria-busy");
    const then = next;
    next = null;
    then();
  });
})();
