/* What the guided start has beside plain forms: the browser's time zone, a password one can look at, a count of those
   who are ticked, and buttons that are pressed once. Everything works without it. */
(() => {
  "use strict";
  const zone = document.querySelector("[data-guess] [data-guess-zone]"); // absent where a zone was chosen already
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const untouched = zone && [...zone.options].every((option) => option.selected === option.defaultSelected); // slow Wi-Fi
  if (untouched && [...zone.options].some((option) => option.value === here)) zone.value = here;

  for (const input of document.querySelectorAll("[data-can-show]")) {
    const words = document.querySelector("[data-show-words]");
    if (!words) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "btn";
    button.textContent = words.dataset.showWords;
    button.setAttribute("aria-pressed", "false");
    const both = document.createElement("div");
    both.className = "can-show";
    const typing = document.activeElement === input; // before this file came; moved, it would lose the focus
    input.replaceWith(both);
    both.append(input, button);
    if (typing) input.focus();
    button.addEventListener("click", () => {
      const shown = input.type === "password";
      input.type = shown ? "text" : "password";
      button.setAttribute("aria-pressed", String(shown));
    });
  }

  const ticked = document.querySelector("[data-ticked]");
  if (ticked) {
    const boxes = [...document.querySelectorAll("input[name=people]")];
    const count = () => { ticked.textContent = `(${boxes.filter((box) => box.checked).length} / ${boxes.length})`; };
    document.addEventListener("change", count);
    addEventListener("pageshow", count); // a browser puts ticks back as they were left
  }

  const way = document.getElementById("way"); // made anew while one goes on typing
  way?.addEventListener("htmx:beforeSwap", ({ detail }) => {
    const typed = document.activeElement;
    if (way.contains(typed) && typed.value !== typed.defaultValue) detail.shouldSwap = false; // leaving it asks again
  });
  way?.addEventListener("htmx:afterSettle", () => {
    if (way.contains(document.activeElement)) document.activeElement.select?.(); // as the key that led there left it
  });

  for (const form of document.querySelectorAll("form[data-once]")) {
    form.addEventListener("submit", (event) => {
      if (event.defaultPrevented) return; // no connection: nothing was sent
      if (form.dataset.sent) {
        event.preventDefault();
        return;
      }
      form.dataset.sent = "1";
      const busy = event.submitter?.dataset.busy;
      if (busy) event.submitter.textContent = busy;
    });
  }
  addEventListener("pageshow", () => { // after "back" the form can be sent again
    for (const form of document.querySelectorAll("form[data-once]")) delete form.dataset.sent;
  });
})();
