/* The scorekeeper's grid by keyboard alone: what the keys do, lines sent one after the other, the focus never lost.
   No rule of any game stands here: what a line is worth and what is wrong with it is the server's answer.
   Without this file every line is a form with a Save button. */
import {
  grid, all, lineOf, blockOf, cells, figures, isEmpty, isBegun, typedLines, isBeside, openLines, state, isOf, isWrong, phone, withMinus,
  made, addLine, saidOf, place, placeAll, say,
} from "./grid_lines.js";
import { drafts } from "./kept.js";
import { send } from "./send.js";

const words = grid.dataset;
const told = document.getElementById("grid-said");
const end = document.getElementById("keyed");
const queue = []; // lines to be sent, in order
const AGAIN = 5000; // milliseconds before a failed sending is tried again
let busy = false;

const tell = (text) => { told.textContent = text; };

const lineAfter = (line) => { // the open line after this one, made if there is none
  const block = blockOf(line);
  const lines = openLines(block);
  const later = lines[lines.indexOf(line) + 1];
  return later || isBeside(line) ? later : addLine(block, Number(line.dataset.number) + 1, line);
};

// While the last deal of a game of so many is on its way the line after it takes what is typed. It goes, if nothing was,
// when that deal isn't recorded.
const dropSurplus = (block) => {
  for (const line of openLines(block)) {
    if (Number(line.dataset.number) > Number(block.dataset.last) && isOf(line, "open") && isEmpty(line)) line.remove();
  }
};

const mark = (line, now, text = "") => {
  state(line, now);
  line.querySelector(".progress-words").textContent = text;
  for (const cell of cells(line)) cell.readOnly = now === "saving";
  line.toggleAttribute("aria-busy", now === "saving");
  keep(blockOf(line));
};

/* Drafts: a row that isn't recorded outlives a reload, in the store of static/kept.js and for who typed it */

const draftKey = (block) => `${words.owner}|${location.pathname}|${block.dataset.game}`;
let keeps = false; // once what was kept is back, if this browser keeps anything

const keep = (block) => {
  if (!keeps) return;
  const lines = typedLines(block).filter((line) => !isOf(line, "over") && isBegun(line)).map((line) => ({
    number: Number(line.dataset.number), submission: line.querySelector("[name=submission]").value,
    figures: cells(line).map((cell) => [cell.name, cell.value, isWrong(cell)]), state: state(line),
    asked: line.dataset.asked, said: isOf(line, "refused", "asking") ? saidOf(line).innerHTML : "",
  }));
  const done = lines.length ? drafts.put(draftKey(block), { lines, at: Date.now() })
    : drafts.drop(draftKey(block));
  done.catch(() => { /* the store is full: the row stands on the page alone */ });
};

const linesOf = (block, number) => all(`tbody.line[data-number="${number}"]`, block);

const lineBeside = (block, number) => { // for a deal that was recorded meanwhile, or a game that ended without it
  const [recorded] = linesOf(block, number);
  const line = addLine(block, number, recorded || all("tbody.line", block).at(-1));
  if (!line) return line;
  line.dataset.beside = "";
  for (const part of recorded ? [recorded, ...all("[id]", recorded)] : []) part.removeAttribute("id"); // now its own
  say(line, recorded ? words.meanwhile : words.ended);
  tell(saidOf(line).textContent);
  return line;
};

const putBack = (block, draft) => {
  let next = openLines(block)[0];
  for (const { number, submission, figures: typed, state: was, asked, said } of draft.lines) {
    while (next && Number(next.dataset.number) < number) next = lineAfter(next);
    const isOpen = next && Number(next.dataset.number) === number;
    const line = isOpen ? next : lineBeside(block, number);
    if (!line) continue;
    if (isBegun(line)) { // begun anew before this had come: what is typed stands, and what was kept joins it
      const left = cells(line).filter((cell) => isOf(line, "open") && !cell.value && cell !== document.activeElement);
      for (const cell of left) [, cell.value = ""] = typed.find(([name]) => name === cell.name) || [];
      continue;
    }
    for (const cell of cells(line)) {
      const [, value = "", wrong = false] = typed.find(([name]) => name === cell.name) || [];
      cell.value = value;
      if (isOpen && wrong) cell.setAttribute("aria-invalid", "true");
    }
    line.querySelector("[name=submission]").value = submission; // sent twice counts once
    if (["saving", "unsent"].includes(was)) {
      mark(line, "unsent");
      say(line, words.waiting);
    } else if (isOpen && said) { // what is said of it is what Enter answers
      mark(line, was);
      say(line, said, "innerHTML");
      line.dataset.asked = asked;
    }
    if (lineOf(document.activeElement) === line) goTo(line);
  }
};

const restore = async () => {
  try {
    for (const block of all("[data-game]")) {
      const draft = await drafts.get(draftKey(block));
      if (draft) putBack(block, draft);
    }
  } catch { // a private window, perhaps
    return;
  }
  keeps = true;
  for (const block of all("[data-game]")) keep(block);
  sendAgain();
};

/* Focus */

const focus = (element) => {
  if (!element) return;
  element.focus();
  if (element.select) element.select();
};
const enter = (line) => focus(line.hasAttribute("data-read") ? cells(line).at(-1) // which Enter saves
  : cells(line).find((cell) => cell.value === "") || cells(line)[0]);
const wrongOf = (line) => cells(line).find(isWrong) || cells(line)[0];
const isFree = (line) => isOf(line, "open", "refused", "asking", "unsent");

const goTo = (line) => {
  if (isOf(line, "asking", "unsent")) focus(cells(line).at(-1));
  else if (isOf(line, "refused", "over")) focus(wrongOf(line));
  else enter(line);
};

const nextBlock = (block, step) => {
  const open = all("[data-game]").filter((one) => one === block || openLines(one).some(isFree));
  return open[open.indexOf(block) + step];
};
const toBlock = (block) => {
  const line = openLines(block).find(isFree);
  if (line) goTo(line);
};
const onFrom = (block) => { // go on after a finished game: at the next below, or wherever a line is left
  const next = nextBlock(block, 1) || all("[data-game]").find((one) => one !== block && openLines(one).some(isFree));
  if (next) {
    toBlock(next);
    return;
  }
  tally();
  const late = grid.querySelector("[data-state=late]:not([data-looked-at])");
  const left = typedLines().find((line) => isBeside(line) && isFree(line) && !isEmpty(line));
  if (late) lookAt(late);
  else if (left) goTo(left);
  else focus(end);
};
const goOn = (block) => (openLines(block).some(isFree) ? toBlock : onFrom)(block);

// A line that somebody else recorded first, with other figures: nothing can be typed there, but it is to be seen.
const lookAt = (line) => {
  line.dataset.lookedAt = "";
  focus(line.querySelector("a.correct"));
  line.scrollIntoView({ block: "nearest" });
};
const isUntouched = (here) => !lineOf(here) || isEmpty(lineOf(here)); // nothing is begun where the focus is
const isInSight = (line) => {
  const { top, bottom } = line.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
};
// What is said of a line is to be seen, too, with the box that is typed in. Where both have no room on a phone, and nothing
// is begun in another line, the keypad goes: the box is tapped after reading.
const reveal = (line) => {
  const [said, here] = [saidOf(line), document.activeElement];
  if (!said || !said.offsetParent) return;
  const room = visualViewport.height - parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop);
  const [one, other] = [here.getBoundingClientRect(), said.getBoundingClientRect()];
  const hasRoom = Math.max(one.bottom, other.bottom) - Math.min(one.top, other.top) < room;
  if (!hasRoom && !(phone && (lineOf(here) === line || isUntouched(here)))) return;
  if (!hasRoom) here.blur();
  said.scrollIntoView({ block: "nearest" });
};
const leadTo = (line) => { // unless something is being typed elsewhere; then it is come back to at the end
  if (isInSight(line)) line.dataset.lookedAt = "";
  else if (isUntouched(document.activeElement)) lookAt(line);
};

const tally = () => { end.querySelector(".all-keyed").hidden = openLines().length > 0; };

/* Saving */

const blocking = (line) => openLines(blockOf(line)).find(
  (other) => other !== line && isOf(other, "refused", "asking")
    && other.compareDocumentPosition(line) & Node.DOCUMENT_POSITION_FOLLOWING,
);

const finish = (line) => {
  if (!isFree(line)) return;
  if (isEmpty(line)) {
    onFrom(blockOf(line));
    return;
  }
  const first = blocking(line);
  if (first) {
    tell(words.before);
    goTo(first);
    return;
  }
  const sure = line.querySelector("[name=sure]");
  if (sure) sure.checked = line.dataset.asked === figures(line);
  for (const unsent of typedLines().filter((one) => isOf(one, "unsent") && one !== line)) add(unsent);
  add(line);
  const next = lineAfter(line);
  if (next) enter(next);
  else onFrom(blockOf(line)); // that was the last line of a second keying
  sendNext();
};

const add = (line) => {
  mark(line, "saving", words.saving);
  say(line, "");
  queue.push(line);
};

const sendNext = async () => {
  if (busy || !queue.length) return;
  busy = true;
  const line = queue[0];
  if (blocking(line)) { // the deal before it was refused meanwhile
    queue.shift();
    mark(line, "unsent");
    say(line, words.waiting);
  } else {
    const form = line.querySelector("form");
    let text = "";
    let answer = null;
    try {
      const response = await send(form.action, {
        method: "POST", body: new FormData(form), headers: { "HX-Request": "true" },
      });
      if (response.redirected || response.status === 403) text = words.loggedOut;
      else if (response.status === 404) text = words.gone;
      else if (![200, 409, 422].includes(response.status)) text = words.failed;
      else answer = await response.json();
    } catch {
      text = words.unsent;
    }
    if (answer) {
      queue.shift();
      show(line, answer);
    } else {
      for (const waiting of queue.splice(0)) {
        mark(waiting, "unsent");
        say(waiting, text);
        const here = lineOf(document.activeElement);
        dropSurplus(blockOf(waiting));
        if (here && !here.isConnected) onFrom(blockOf(waiting));
      }
      tell(text);
      if (text === words.unsent) setTimeout(sendAgain, AGAIN);
    }
  }
  busy = false;
  sendNext();
};

const sendAgain = () => {
  for (const line of typedLines().filter((one) => isOf(one, "unsent") && !blocking(one))) add(line);
  sendNext();
};

const show = (line, answer) => {
  const block = blockOf(line);
  const fresh = made(answer.line);
  const at = lineOf(document.activeElement);
  const inHere = at && blockOf(at) === block;
  if (isBeside(line) && fresh.hasAttribute("data-open")) fresh.dataset.beside = "";
  else for (const other of linesOf(block, line.dataset.number)) if (other !== line) other.remove(); // the answer has both
  line.replaceWith(fresh);
  place(fresh);
  if (answer.totals) block.querySelector("tfoot").replaceWith(made(answer.totals)); // a second keying shows no totals
  if (fresh.hasAttribute("data-open")) {
    fresh.dataset.asked = figures(fresh);
    tell(saidOf(fresh).textContent.trim());
    if (at === line || (inHere && isEmpty(at)) || document.activeElement === end) {
      goTo(fresh);
      reveal(fresh);
    }
    dropSurplus(block);
  } else {
    tell(answer.state === "late" ? saidOf(fresh).textContent.trim()
      : `${words.recorded} ${fresh.querySelector(".outcome .points, .outcome .keyed-twice").textContent}`);
    for (const waiting of openLines(block).filter((one) => isOf(one, "unsent"))) add(waiting);
  }
  tally();
  if (answer.over) close(block, answer.next, inHere && at !== line ? at : null);
  keep(block);
  if (answer.state === "late") leadTo(fresh);
  else if (!fresh.hasAttribute("data-open")) {
    if (at === line) goOn(block); // sent again from where the focus was
    reveal(fresh);
  }
};

// A game is over: the next game of its set opens, and what was begun on a surplus line moves to where keying goes on.
const close = (block, next, at) => {
  const extra = openLines(block).filter((line) => isOf(line, "open"));
  const index = at && extra.includes(at) ? cells(at).indexOf(document.activeElement) : -1;
  const values = index >= 0 && !isEmpty(at) ? cells(at).map((cell) => cell.value) : null;
  const caret = document.activeElement.selectionStart;
  const following = next && !openLines(block).some((line) => !extra.includes(line)) && made(next);
  if (following && !grid.querySelector(`[data-game="${following.dataset.game}"]`)) block.after(following);
  block.classList.add("keying-over");
  for (const line of extra) line.remove();
  if (index < 0) return;
  onFrom(block);
  const target = lineOf(document.activeElement);
  if (!values || !target || !isEmpty(target) || cells(target).length !== values.length) return;
  cells(target).forEach((cell, place) => { cell.value = values[place]; });
  say(target, words.carried.replace("%s", block.dataset.table));
  keep(blockOf(target));
  cells(target)[index].focus();
  if (caret !== null) cells(target)[index].setSelectionRange(caret, caret); // a number's own input has none
};

/* Keys */

const stopsOf = (row) => {
  const inputs = all("td.box input", row);
  return inputs.length ? inputs : all("a.correct", row);
};

const upOrDown = (element, step) => {
  const rows = all("tr").filter((row) => stopsOf(row).some((stop) => stop.offsetParent));
  const row = element.closest("tr");
  const next = rows[rows.indexOf(row) + step];
  if (!next) return;
  const stops = stopsOf(next);
  focus(stops[Math.min(Math.max(stopsOf(row).indexOf(element), 0), stops.length - 1)]);
};

const sideways = (event, cell, step) => {
  const { selectionStart: from, selectionEnd: to, value } = cell;
  const whole = from === 0 && to === value.length;
  if (!whole && (from !== to || from !== (step < 0 ? 0 : value.length))) return;
  const next = cells(lineOf(cell))[cells(lineOf(cell)).indexOf(cell) + step];
  if (!next) return;
  event.preventDefault();
  focus(next);
};

const takeBack = (line) => {
  if (isOf(line, "saving")) return;
  if (isOf(line, "over") || isBeside(line)) {
    const block = blockOf(line);
    line.remove();
    keep(block);
    goOn(block);
    return;
  }
  const kept = line.dataset.kept;
  if (!isEmpty(line)) {
    line.dataset.kept = JSON.stringify(cells(line).map((cell) => cell.value));
    for (const cell of cells(line)) cell.value = "";
  } else if (kept) {
    JSON.parse(kept).forEach((value, place) => { cells(line)[place].value = value; });
  }
  for (const cell of cells(line)) cell.removeAttribute("aria-invalid");
  say(line, "");
  mark(line, "open");
  focus(cells(line)[0]);
};

grid.addEventListener("keydown", (event) => {
  const here = event.target;
  const cell = here.matches("td.box input") ? here : null;
  const line = lineOf(here);
  if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
  const steps = { ArrowUp: -1, ArrowDown: 1, PageUp: -1, PageDown: 1 };
  if (event.key === "Enter" && cell) {
    event.preventDefault();
    const next = cells(line)[cells(line).indexOf(cell) + 1];
    if (next) focus(next);
    else if (!event.repeat) finish(line);
  } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
    if (!cell && !here.matches("a.correct")) return;
    event.preventDefault();
    upOrDown(here, steps[event.key]);
  } else if (event.key === "PageUp" || event.key === "PageDown") {
    const block = nextBlock(blockOf(here), steps[event.key]);
    event.preventDefault();
    if (block) toBlock(block);
  } else if (cell && event.key === "ArrowLeft") {
    sideways(event, cell, -1);
  } else if (cell && event.key === "ArrowRight") {
    sideways(event, cell, 1);
  } else if (event.key === "Escape" && line && line.hasAttribute("data-open")) {
    event.preventDefault();
    takeBack(line);
  } else if (event.key === "/") {
    event.preventDefault();
    asked(here);
  }
});

grid.addEventListener("submit", (event) => { // the Save button
  const line = lineOf(event.target);
  event.preventDefault();
  if (line) finish(line);
});
grid.addEventListener("input", (event) => { if (lineOf(event.target)) keep(blockOf(event.target)); });
grid.addEventListener("focusin", (event) => {
  if (event.target.matches("td.box input")) event.target.select();
});
grid.addEventListener("click", (event) => { // pressing a problem leads to its figure
  const link = event.target.closest(".said-words a[href^='#']");
  const cell = link && document.getElementById(link.getAttribute("href").slice(1));
  if (!cell) return;
  event.preventDefault();
  focus(cell);
});

/* The way to a table */

const toTable = document.getElementById("to-table");
const number = document.getElementById("table-number");
const tableSaid = document.getElementById("table-said");
let from = null;
toTable.hidden = false;

const asked = (element) => {
  from = element;
  tableSaid.textContent = "";
  focus(number);
};
toTable.addEventListener("submit", (event) => {
  event.preventDefault();
  const wanted = number.value.trim().toLowerCase();
  const isMeant = (table) => [table.toLowerCase(), String(parseInt(table, 10))].includes(wanted); // "3" is 3A, too
  const block = all("[data-game]").find((one) => isMeant(one.dataset.table) && openLines(one).some(isFree));
  tableSaid.textContent = block ? "" : words.noTable;
  if (!block) {
    number.select();
    return;
  }
  number.value = "";
  toBlock(block);
});
number.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  event.preventDefault();
  tableSaid.textContent = "";
  if (from && from.isConnected) focus(from);
  else onFrom(null);
});

/* The page */

window.addEventListener("online", sendAgain);
window.addEventListener("beforeunload", (event) => {
  if (queue.length || typedLines().some((line) => !isOf(line, "over") && isBegun(line))) event.preventDefault();
});

const begin = () => {
  withMinus(grid);
  placeAll();
  const lines = openLines();
  for (const line of lines) line.dataset.asked = cells(line).map((cell) => cell.defaultValue).join("\n");
  const line = lines.find((one) => isOf(one, "refused", "asking", "over")) || lines.find(isFree);
  const begun = grid.contains(document.activeElement); // somebody was quicker than this file
  if (line && !begun && !phone) goTo(line); // on a phone the keyboard would cover the page
};
begin();
restore();
