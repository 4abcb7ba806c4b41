/* The lines of the scorekeeper's grid (grid.js) as they stand on the page: their boxes, their state, what is said beside
   them, and new ones made of their game's pattern. */
import { newId } from "./ids.js";

const ROOM = 320; // pixels beside a line that a sentence needs

export const grid = document.getElementById("grid");
export const all = (selector, inside = grid) => [...inside.querySelectorAll(selector)];
export const lineOf = (element) => element.closest("tbody.line");
export const blockOf = (element) => element.closest("[data-game]");
export const cells = (line) => all("td.box input", line);
export const figures = (line) => cells(line).map((cell) => cell.value).join("\n");
export const isEmpty = (line) => cells(line).every((cell) => cell.value === "");
export const isBegun = (line) => !isEmpty(line) && !(line.hasAttribute("data-read") // filled in from a photo, as it came
  && cells(line).every((cell) => cell.value === cell.defaultValue));
export const typedLines = (inside = grid) => all("tbody.line[data-open]", inside);
export const isBeside = (line) => line.hasAttribute("data-beside"); // typed for a deal that was recorded meanwhile
export const openLines = (inside = grid) => typedLines(inside).filter((line) => !isBeside(line)); // where deals are keyed
export const state = (line, now) => {
  if (now) line.dataset.state = now;
  return line.dataset.state;
};
export const isOf = (line, ...states) => states.includes(state(line));
export const isWrong = (cell) => cell.getAttribute("aria-invalid") === "true";

// A phone's keypad for figures may lack the minus: what can be below zero has a number's own input there, as on the card.
export const phone = matchMedia("(hover: none)").matches;
export const withMinus = (part) => {
  if (phone) for (const box of all("td.box input:not([inputmode])", part)) box.type = "number";
  return part;
};

export const made = (html) => {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  return withMinus(holder.content.firstElementChild);
};

export const addLine = (block, number, before) => { // none in a second keying, which has no pattern
  const pattern = block.querySelector("template");
  if (!pattern) return undefined;
  const line = made(pattern.innerHTML.replaceAll("__n__", number));
  line.querySelector("[name=submission]").value = newId();
  before.after(line);
  return line;
};

// Messages about a line stand beside its first row where there is room, else below it, as without this file.
export const saidOf = (line) => line.querySelector(".said-words");
const wide = matchMedia("(min-width: 1100px)");
export const place = (line) => {
  const [said, row, outcome] = [saidOf(line), line.querySelector("tr.said"), line.querySelector(".outcome")];
  if (!said || !outcome) return;
  const shown = !row.hidden || (outcome.contains(said) && !said.hidden);
  const goesBeside = wide.matches && line.rows[0].contains(outcome) && outcome.clientWidth >= ROOM;
  (goesBeside ? outcome : row.firstElementChild).append(said);
  said.hidden = goesBeside && !shown;
  row.hidden = goesBeside || !shown;
};
export const placeAll = () => { for (const line of all("tbody.line")) place(line); };
wide.addEventListener("change", placeAll);

export const say = (line, text, as = "textContent") => { // show the page's own sentence beside a line; "" for none
  const said = saidOf(line);
  if (!said) return;
  const row = line.querySelector("tr.said");
  if (text) said[as] = text; // "" only hides: a box ticked in it (Yes, the card says so) is still sent
  if (row.contains(said)) row.hidden = !text;
  else said.hidden = !text;
  place(line);
};
