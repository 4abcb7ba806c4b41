/* The hall board: divides what the server sent into pages that fit this screen, and turns them.

   A list is laid out in as many columns as its widest row leaves room for, and as large as it can be without needing one
   page more than at its smallest. Space pauses, the arrow keys turn. Small screens are left to scroll; a projector
   of 1024 pixels, narrower than the styles' two columns, is none. */
(() => {
  "use strict";
  const root = document.documentElement;
  const LARGER = [4, 3.5, 3.1, 2.75, 2.4, 2.2, 2, 1.85, 1.7, 1.55, 1.4, 1.3, 1.2, 1.1, 1];
  const wide = matchMedia("(min-width: 1000px)");
  let pages = []; // { part, of, number }: the part's name, how many pages it has, which this is
  let at = 0;
  let paused = false;
  let turnedAt = Date.now();

  const parts = () => [...document.querySelectorAll(".board-part")];
  const only = (part) => { for (const one of parts()) one.hidden = one !== part; };

  /* How many columns and rows of a list fit, by its widest and its highest row, and how wide a column of so many is. */
  const fits = (list, room) => {
    const rows = [...list.children];
    const heads = list.parentElement.querySelector(".board-heads");
    for (const one of [list, heads]) one?.classList.add("measured");
    for (const row of rows) row.hidden = false;
    const sizes = rows.map((row) => row.getBoundingClientRect());
    const head = heads?.getBoundingClientRect().width ?? 0;
    for (const one of [list, heads]) one?.classList.remove("measured");
    const gap = parseFloat(getComputedStyle(list).columnGap) || 0;
    const width = Math.max(1, head, ...sizes.map((size) => size.width));
    const height = Math.max(1, ...sizes.map((size) => size.height));
    const above = list.getBoundingClientRect().top - list.parentElement.getBoundingClientRect().top;
    const all = list.parentElement.clientWidth;
    const most = Math.max(1, Math.floor((all + gap) / (width + gap)));
    return {
      heads,
      columns: Math.min(most, rows.length),
      rows: Math.max(1, Math.floor((room - above) / height)),
      width: (columns) => Math.min((all - gap * (columns - 1)) / columns, width * 1.6), // a figure is near its name
      tooWide: width > all,
    };
  };

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

  /* How to divide a list: into as few pages as at its smallest, as large as that allows, and pages equally full. */
  const divide = (part, list, room) => {
    const count = list.children.length;
    const heads = part.querySelector(".board-heads");
    if (heads) while (heads.children.length > 1) heads.lastChild.remove();
    const tried = (factor) => {
      larger(part, factor);
      const found = fits(list, room);
      return { ...found, factor, pages: found.tooWide ? Infinity : Math.ceil(count / (found.columns * found.rows)) };
    };
    let best = tried(LARGER.at(-1));
    const least = best.pages;
    if (Number.isFinite(least)) {
      largest(LARGER, (factor) => {
        const found = tried(factor), fit = found.pages === least;
        if (fit) best = found;
        return fit;
      });
    }
    larger(part, best.factor);
    const number = Number.isFinite(least) ? least : Math.ceil(count / best.rows);
    const across = list.dataset.list === "across";
    const even = Math.ceil(count / number);
    const each = across ? Math.ceil(even / best.columns) * best.columns : even;
    const columns = across ? best.columns : Math.min(best.columns, Math.ceil(each / best.rows));
    part.style.setProperty("--columns", columns);
    part.style.setProperty("--rows", Math.ceil(each / columns));
    part.style.setProperty("--column", `${Math.floor(best.width(columns))}px`);
    if (heads) for (let n = 1; n < columns; n += 1) heads.append(heads.firstElementChild.cloneNode(true));
    part.dataset.each = each;
    return number;
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
      const count = list ? divide(part, list, part.clientHeight) : 1;
      for (let n = 0; n < count; n += 1) pages.push({ part: part.dataset.part, number: n, of: count });
    }
    const same = pages.findIndex((one) => before && one.part === before.part && one.number === before.number);
    at = same >= 0 ? same : 0;
    show(false);
  };

  const show = (turned) => {
    const page = pages[at];
    if (!page) return;
    const part = parts().find((one) => one.dataset.part === page.part);
    only(part);
    const rows = [...part.querySelectorAll(".board-list > li")];
    const each = Number(part.dataset.each);
    rows.forEach((row, n) => { row.hidden = Math.floor(n / each) !== page.number; });
    part.classList.toggle("board-turned", turned);
    const count = document.querySelector("[data-board-count]");
    count.textContent = count.dataset.boardCount.replace("NUMBER", at + 1).replace("COUNT", pages.length);
  };

  const step = (by) => {
    if (!pages.length) return;
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
    setInterval(() => { if (!paused && pages.length > 1 && Date.now() - turnedAt >= stays) step(1); }, 250);
    await document.fonts.ready; // widths are measured in the board's own typeface
    lay();
    try { await navigator.wakeLock?.request("screen"); } catch { /* not allowed: the system's settings decide */ }
  });
})();
