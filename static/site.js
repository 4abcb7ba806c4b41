/* The little that plain pages and htmx don't do: the theme, the print button, word of a lost connection, times.
   Loaded without defer, so that the theme is set before the first paint. Pages work without it. */
(() => {
  "use strict";
  const root = document.documentElement;

  /* A time as the pages write it for the place (clubsite/formats), "09:05" or "9:05 AM"; in the club's zone */
  self.timeOf = (at) => {
    const hourCycle = root.dataset.hours;
    const hour = hourCycle === "h23" ? "2-digit" : "numeric";
    const options = { hour, minute: "2-digit", hourCycle, timeZone: root.dataset.zone };
    return new Date(at).toLocaleTimeString(root.lang, options).replace(/\s/g, "\u00a0"); // "8:05 PM" on one line
  };

  const key = "theme";
  const remembered = () => {
    try { return localStorage.getItem(key); } catch { return null; } // storage may be forbidden
  };
  const remember = (theme) => {
    try { localStorage.setItem(key, theme); } catch { /* then it holds for this page only */ }
  };
  const theme = () =>
    root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

  if (!root.dataset.theme && remembered()) root.dataset.theme = remembered(); // a hall board's address may say it

  document.addEventListener("DOMContentLoaded", () => {
    const toggle = document.querySelector("[data-theme-toggle]");
    if (toggle && CSS.supports("color", "light-dark(#000, #fff)")) { // else there is the light theme only (tokens.css)
      const show = () => toggle.setAttribute("aria-pressed", String(theme() === "dark"));
      toggle.hidden = false;
      toggle.addEventListener("click", () => {
        root.dataset.theme = theme() === "dark" ? "light" : "dark";
        remember(root.dataset.theme);
        show();
      });
      show();
    }
    const typedKey = `typed:${location.pathname}${location.search}`; // in a form, when the language is changed
    const controls = () => [...document.querySelectorAll("main :is(input, select, textarea)")];
    const isTyped = (control) => !["hidden", "password", "file", "select-multiple"].includes(control.type) &&
      (control.options ? !control.selectedOptions[0]?.defaultSelected
        : control.value !== control.defaultValue || control.checked !== control.defaultChecked);
    document.querySelector("form[data-language]")?.addEventListener("submit", () => {
      const typed = controls().map((control, n) => isTyped(control) && [n, control.name, control.value, control.checked]);
      try { sessionStorage.setItem(typedKey, JSON.stringify(typed.filter(Boolean))); } catch { /* then it is lost */ }
    });
    try {
      const typed = JSON.parse(sessionStorage.getItem(typedKey)) ?? [];
      sessionStorage.removeItem(typedKey);
      for (const [n, name, value, checked] of typed) {
        const control = controls()[n];
        if (control?.name !== name) continue;
        if ("checked" in control) control.checked = checked;
        if (!["radio", "checkbox"].includes(control.type)) control.value = value;
        for (const kind of ["input", "change"]) control.dispatchEvent(new Event(kind, { bubbles: true }));
      }
    } catch { /* storage is forbidden */ }
    for (const button of document.querySelectorAll("[data-print]")) {
      button.hidden = false;
      button.addEventListener("click", () => document.fonts.ready.then(() => window.print())); // else words are missing
    }
    for (const form of document.querySelectorAll("form[data-forget]")) { // kept pages are only for whoever opened them
      form.addEventListener("submit", () => {
        navigator.serviceWorker?.getRegistration().then((known) => known?.active?.postMessage({ forget: true }));
      });
    }
    for (const fold of document.querySelectorAll("details[data-into-sight]")) { // else it may open below the screen
      fold.firstElementChild.addEventListener("click", () => {
        fold.addEventListener("toggle", () => fold.open && fold.scrollIntoView({ block: "nearest" }), { once: true });
      });
    }
    document.fonts.ready.then(() => { // other scripts have moved what is wrong meanwhile
      const asked = document.querySelector("[autofocus][aria-invalid]");
      if (!asked || (asked !== document.activeElement && document.activeElement.matches("input, select, textarea"))) return;
      asked.focus(); // an address with a # gives the focus to its target
      (asked.closest(".field") || asked).scrollIntoView({ block: "nearest" });
    });
    document.addEventListener("htmx:load", ({ detail: { elt: part } }) => { // a file that was waited for
      const made = part.querySelector("[data-open-now]");
      if (made) location.replace(made.href);
    });
    const lost = document.getElementById("connection");
    if (lost) {
      const notTaken = document.getElementById("not-taken");
      document.addEventListener("htmx:sendError", () => { lost.hidden = false; });
      document.addEventListener("htmx:responseError", () => { notTaken.hidden = false; });
      document.addEventListener("htmx:afterOnLoad", (event) => {
        lost.hidden = true;
        if (event.detail.xhr.status < 400) notTaken.hidden = true;
      });
      document.addEventListener("submit", (event) => { // else the browser's error page would replace the form
        if (navigator.onLine || event.defaultPrevented) return; // offline.js looks after a card's form
        event.preventDefault();
        lost.hidden = false;
      });
    }
  });
})();
