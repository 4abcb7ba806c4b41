/* A page that refreshes itself: asks only while it is looked at, keeps what was unfolded, and says since when the
   server hasn't answered. Pages work without it, and then stand still. */
(() => {
  "use strict";
  let answered = Date.now();
  let unfolded = null;

  const live = () => document.getElementById("live");
  const ours = (event) => event.target === live() || event.target.id === "live";
  const tell = (lost) => {
    for (const note of document.querySelectorAll("[data-lost]")) {
      if (lost) note.textContent = note.dataset.lost.replace("TIME", timeOf(answered));
      note.hidden = !lost;
    }
  };

  document.addEventListener("DOMContentLoaded", () => {
    const { body } = document;
    body.addEventListener("htmx:beforeRequest", (event) => {
      if (ours(event) && document.hidden) event.preventDefault();
    });
    for (const name of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
      body.addEventListener(name, (event) => {
        if (!ours(event)) return;
        event.stopPropagation(); // site.js would warn that what was typed isn't sent: nothing is typed here
        tell(true);
      });
    }
    body.addEventListener("htmx:afterOnLoad", (event) => {
      if (!ours(event) || event.detail.xhr.status >= 400) return;
      answered = Date.now();
      tell(false);
    });
    body.addEventListener("htmx:beforeSwap", (event) => {
      if (!ours(event)) return;
      unfolded = new Map([...live().querySelectorAll("details[id]")].map((one) => [one.id, one.open]));
    });
    body.addEventListener("htmx:afterSwap", () => {
      // New parts come folded or unfolded as the server sends them; the others keep their state.
      for (const one of live()?.querySelectorAll("details[id]") ?? []) {
        if (unfolded?.has(one.id)) one.open = unfolded.get(one.id);
      }
      unfolded = null;
    });
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && live()) window.htmx.trigger(live(), "news");
    });
  });
})();
