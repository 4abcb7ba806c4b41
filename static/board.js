/* The hall board: divides what the server sent into pages that fit this screen, and turns them.

   A list is laid out on as few pages as possible, and as large as these allow. Space pauses, the arrow keys turn. The
   winners stay until somebody turns the page. Small screens are left to scroll; a projector of 1024 pixels, narrower
   than the styles' two columns, is none. */
(() => {
  "use strict";
  const root = document.documentElement;
  const COLUMNS = 6;
  const LARGER = Array.from({ length: 29 }, (_, n) => 1.05 ** (28 - n)); // from nearly four times the size to once
  const wide = matchMedia("(min-width: 1000px)");
  let pages = []; // { part, of, number }: the part's name, how many pages it has, which this is
  let at = 0;
  let paused = false;
  let crowned = false; // whether there are winners to show
  let held = false; // they stay until somebody turns the page
  let turnedAt = Date.now();

  const parts = () => [...document.querySelectorAll(".board-part")];
  const only = (part) => { for (const one of parts()) one.hidden = one !== part; };

  const larger = (part, factor) => part.style.setProperty("--larger", factor);

  /* The first of factors, the largest before, that fits; what is smaller than one that fits, fits too. The last to be found
     fit is that one. */
  const largest = (factors, fitsAt) => {
    let [from, to] = [0, factors.length];
    while (from < to) {
      const half = Math.floor((from + to) / 2);
      if (fitsAt(factors[half])) to = half;
      else from = half + 1;
    }
    return factors[from];
  };

  /* How a list is divided into so many pages, each of so many columns. */
  const divided = (list, columns, number) => {
    const even = Math.ceil(list.children.length / number);
    const each = list.dataset.list === "across" ? Math.ceil(even / columns) * columns : even;
    return { columns, each, rows: Math.ceil(each / columns) };
  };

  const apply = (part, { columns, each, rows }) => {
    part.style.setProperty("--columns", columns);
    part.style.setProperty("--rows", rows);
    part.dataset.each = each;
  };

  const turn = (part, number) => {
    [...part.querySelector(".board-list").children].forEach((row, n) => {
      row.hidden = Math.floor(n / part.dataset.each) !== number;
    });
  };

  /* Whether every page has room for its rows, and every row for its words, at the size that is set. */
  const fits = (part, list, number) => {
    for (let page = 0; page < number; page += 1) {
      turn(part, page);
      const over = (one) => one.scrollWidth > one.clientWidth + 1;
      if (list.scrollHeight > list.clientHeight + 1) return false;
      if ([...list.children].some((row) => !row.hidden && over(row))) return false;
    }
    return true;
  };

  /* Divides a list into as few pages as possible, as large as that allows, with as few columns as that needs. */
  const divide = (part, list) => {
    const heads = part.querySelector(".board-heads");
    const tried = (columns, number) => {
      const division = divided(list, columns, number);
      apply(part, division);
      const factor = largest(LARGER, (one) => {
        larger(part, one);
        return fits(part, list, number);
      });
      return { ...division, number, factor: factor ?? 0 };
    };
    let best = { factor: 0 };
    const count = list.children.length;
    for (let number = 1; !best.factor && number <= count; number += 1) {
      for (let columns = 1; columns <= Math.min(COLUMNS, count); columns += 1) {
        const division = tried(columns, number);
        if (division.factor > best.factor) best = division;
      }
    }
    if (!best.factor) best = { ...divided(list, 1, count), number: count, factor: 1 };
    larger(part, best.factor);
    apply(part, best);
    if (heads) {
      while (heads.children.length > 1) heads.lastChild.remove();
      for (let n = 1; n < best.columns; n += 1) heads.append(heads.firstElementChild.cloneNode(true));
    }
    return best.number;
  };

  /* Make large words as large as fits the screen. */
  const enlarge = (part, words) => {
    const fitting = largest([...LARGER, 0.9, 0.8, 0.7, 0.65, 0.6, 0.55], (factor) => {
      larger(part, factor);
      const inside = words.getBoundingClientRect().bottom <= part.getBoundingClientRect().bottom + 1;
      return inside && words.scrollWidth <= words.clientWidth;
    });
    larger(part, fitting ?? 0.5);
  };

  const lay = () => {
    const before = pages[at];
    root.classList.toggle("board-paged", wide.matches);
    pages = [];
    if (!wide.matches) {
      only(null);
      for (const part of parts()) {
        part.hidden = false;
        part.removeAttribute("style");
        for (const row of part.querySelectorAll(".board-list > li")) row.hidden = false;
      }
      return;
    }
    for (const part of parts()) {
      only(part);
      const list = part.querySelector(".board-list");
      const words = part.querySelector(".board-large");
      if (words) enlarge(part, words);
      const count = list ? divide(part, list) : 1;
      for (let n = 0; n < count; n += 1) pages.push({ part: part.dataset.part, number: n, of: count });
    }
    const winners = pages.findIndex((one) => one.part === "winners");
    const same = pages.findIndex((one) => before && one.part === before.part && one.number === before.number);
    const first = winners >= 0 && !crowned;
    crowned = winners >= 0;
    held = first || (held && crowned);
    at = first ? winners : Math.max(same, 0);
    show(false);
  };

  const show = (turned) => {
    const page = pages[at];
    if (!page) return;
    const part = parts().find((one) => one.dataset.part === page.part);
    only(part);
    if (part.dataset.each) turn(part, page.number);
    part.classList.toggle("board-turned", turned);
    const count = document.querySelector("[data-board-count]");
    count.textContent = count.dataset.boardCount.replace("NUMBER", at + 1).replace("COUNT", pages.length);
  };

  const step = (by) => {
    if (!pages.length) return;
    held = false;
    at = (at + by + pages.length) % pages.length;
    turnedAt = Date.now();
    show(pages.length > 1);
  };

  const pause = (now) => {
    paused = now;
    turnedAt = Date.now();
    document.querySelector("[data-board-pause]").setAttribute("aria-pressed", String(paused));
    document.querySelector("[data-board-paused]").hidden = !paused;
  };

  const keys = () => {
    const foot = document.querySelector(".board-foot");
    for (const hidden of foot.querySelectorAll(".board-keys, .board-hint")) hidden.hidden = false;
    foot.addEventListener("click", (event) => {
      const key = event.target.closest("button");
      if (key?.dataset.boardStep) step(Number(key.dataset.boardStep));
      else if (key && "boardPause" in key.dataset) pause(!paused);
    });
    document.addEventListener("keydown", (event) => {
      if (event.target.closest("button, input, select, summary, a")) return; // the key is for that element
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.key === " ") pause(!paused);
      else if (event.key === "ArrowRight" || event.key === "ArrowLeft") step(event.key === "ArrowRight" ? 1 : -1);
      else return;
      event.preventDefault();
    });
    let asleep;
    const wake = () => { // the key hints show while somebody uses the board's mouse or keyboard
      root.classList.add("board-awake");
      clearTimeout(asleep);
      asleep = setTimeout(() => root.classList.remove("board-awake"), 4000);
    };
    for (const name of ["pointermove", "pointerdown", "keydown"]) document.addEventListener(name, wake);
  };

  document.addEventListener("DOMContentLoaded", async () => {
    keys();
    lay();
    for (const changed of ["htmx:afterSwap", "clock:words"]) document.body.addEventListener(changed, lay);
    addEventListener("resize", lay);
    const stays = 1000 * Number(document.querySelector(".board-foot").dataset.turn);
    const time = document.querySelector(".board-time");
    const tell = () => { time.textContent = timeOf(Date.now()); };
    time.hidden = false;
    tell();
    setInterval(tell, 5000);
    setInterval(() => { if (!paused && !held && pages.length > 1 && Date.now() - turnedAt >= stays) step(1); }, 250);
    await document.fonts.ready; // widths are measured in the board's own typeface
    lay();
    try { await navigator.wakeLock?.request("screen"); } catch { /* not allowed: the system's settings decide */ }
  });
})();
