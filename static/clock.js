/* Counts a round's clock down: templates/tournaments/rounds/_clock.html. Without it the page says when the bell rings.

   The server's time counts, for a phone's own may be wrong: the page says what it was when it was made. A page that is
   kept for everybody doesn't: there the Date of a fresh answer puts the phone's own time right. */
(() => {
  "use strict";
  const SIGN = 5 * 60; // seconds, as in tournaments/rounds/clock.py
  let ahead = null; // milliseconds that the server's clock is ahead of this one
  let asked = false;

  const ask = async (address) => {
    if (asked || !address) return;
    asked = true;
    try {
      const sent = Date.now();
      const answer = await fetch(address, { method: "HEAD", cache: "no-store" });
      const date = Date.parse(answer.headers.get("Date"));
      const took = Date.now() - sent;
      if (took > 4000) { // slow, or the phone slept: the answer's moment is uncertain, so the next tick asks again
        asked = false;
        return;
      }
      const rough = date + 500 - (sent + took / 2); // the header has whole seconds, rounded down
      if (answer.ok && Number.isFinite(rough) && (ahead === null || Math.abs(rough - ahead) > 2000)) ahead = rough;
      tick();
    } catch { /* no connection: go by what the page says */ }
  };

  const show = (clock) => {
    let state = clock.dataset.state;
    const digits = clock.querySelector("[data-clock-digits]");
    if (state === "running" || state === "over") {
      const left = Math.max(0, Math.ceil((Number(clock.dataset.bell) - Date.now() - ahead) / 1000));
      state = left === 0 ? "over" : left <= SIGN ? "sign" : "running";
      const text = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
      if (digits.textContent !== text) digits.textContent = text;
    }
    digits.hidden = false;
    for (const words of clock.querySelectorAll("[data-clock-when]")) {
      const hidden = words.dataset.clockWhen !== state;
      if (words.hidden !== hidden) words.hidden = hidden; // set only on a change, as screen readers read it out
    }
    if (clock.dataset.shown === state) return;
    clock.dataset.shown = state;
    clock.dispatchEvent(new Event("clock:words", { bubbles: true })); // other words: board.js measures them
  };

  const said = (part) => (part.dataset.now ? Number(part.dataset.now) - Date.now() : 0);

  const tick = () => {
    for (const clock of document.querySelectorAll("[data-clock]")) {
      if (ahead === null) ahead = said(clock);
      show(clock);
      ask(clock.dataset.time);
    }
    for (const open of document.querySelectorAll("[data-until]")) { // time for corrections: templates/.../_window.html
      if (ahead === null) ahead = said(open);
      const over = Date.now() + ahead >= Number(open.dataset.until);
      open.querySelector("[data-before]").hidden = over;
      open.querySelector("[data-after]").hidden = !over;
      ask(open.dataset.time);
    }
  };

  document.addEventListener("DOMContentLoaded", () => {
    tick();
    document.body.addEventListener("htmx:afterSwap", tick);
    setInterval(tick, 500);
  });
})();
