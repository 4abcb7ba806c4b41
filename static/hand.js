/* The card in the hand: figures that are offered, plus and minus, melds tapped as pictures. It knows no rule of any game:
   what a figure can be comes from the server with its field (scoring.form_parts.Hints). pad/ has the number pad. Without
   these files the form is plain inputs. */
import { hintsOf } from "./pad/keys.js";

export const form = document.querySelector("form.deal-form");
const parts = form.querySelector("template[data-hand]").content;
export const made = (what) => parts.querySelector(what).cloneNode(true);
// Asked in this order, or the browser would lay out all that is folded away: three quarters of a card
export const shown = (input) => !input.closest("details:not([open])") && input.offsetParent;
export const figures = () => [...form.querySelectorAll("input.figure")].filter(shown);
export const labelOf = (input) => input.labels[0]?.textContent.trim() || input.ariaLabel;
export const sideOf = (input) => input.closest("fieldset")?.querySelector("legend")?.textContent.trim();
export const fullLabelOf = (input) => [labelOf(input), sideOf(input)].filter(Boolean).join(", ");

const answered = (told) => { // whether a choice has this answer, told as name=value; null: none yet
  const [name, value] = told.split("=");
  const given = form.querySelector(`[name="${name}"]:checked`);
  return given && given.value === value;
};

/* What a figure is at least, where other answers decide it: a side that went out has fewer cards left */
const leastOf = ({ dataset: { least, leastOut, out, unless } }) => {
  const said = least && answered(out);
  if (!least || said === null || +form.elements[unless]?.value) return -Infinity;
  return +(said ? leastOut : least);
};

export const can = (input) => { // what a figure can be
  const { is, longer, all } = hintsOf(input.dataset.can), least = leastOf(input);
  return { is: (typed) => is(typed) && !(typed < least), longer, all: all.filter((figure) => !(figure < least)) };
};

const aloud = form.appendChild(made("[aria-live]"));
export const say = (...inputs) => {
  aloud.textContent = inputs.map((input) => `${fullLabelOf(input)}: ${input.value || 0}`).join("; ");
};
export const put = (input, typed) => {
  input.value = typed;
  input.dispatchEvent(new Event("input", { bubbles: true }));
};

/* What all sides have together: the last side's figure is offered, unless something says that parts are missing */
const note = new Map();
const own = (input) => { // the figure that was offered is typed, or left, as one's own
  note.get(input)?.remove();
  note.delete(input);
  input.classList.remove("is-offered");
  input.ariaDescription = null;
};
const offer = (input, typed) => {
  if (typed === "" ? !note.has(input) : typed === input.value) return;
  own(input);
  input.value = typed;
  if (typed === "") return;
  const words = made(".offered");
  words.textContent = input.dataset.noneWords ?? words.textContent.replace("%s", input.dataset.whole);
  (input.closest(".stepper") ?? input).after(words);
  input.classList.add("is-offered");
  input.ariaDescription = words.textContent;
  note.set(input, words);
};
const none = (edited) => { // zero where another answer says so: the side that went out has no red three in the hand
  for (const input of form.querySelectorAll("[data-none-by]")) {
    const said = answered(input.dataset.noneBy);
    if (input !== edited && (input.value === "" || note.has(input))) offer(input, said ? "0" : "");
  }
};
const share = (edited) => {
  const groups = new Map();
  for (const input of form.querySelectorAll("[data-whole]")) {
    const name = input.name.replace(/_\d+$/, "");
    groups.set(name, [...(groups.get(name) ?? []), input]);
  }
  const parted = [...form.querySelectorAll("[data-parts]")].some((field) => field.checked || field.selectedIndex > 0);
  for (const group of groups.values()) {
    const open = group.filter((input) => input.value === "" || note.has(input));
    const rest = group.filter((input) => !open.includes(input)).reduce((left, input) => left - input.value,
      +group[0].dataset.whole);
    const fits = !parted && open.length === 1 && group.length > 1 && can(open[0]).is(String(rest));
    for (const input of open) if (input !== edited) offer(input, fits ? String(rest) : "");
  }
};

/* Plus and minus; on a picture the whole of it is the plus */
const step = (input, by) => {
  const many = Math.max(0, (parseInt(input.value, 10) || 0) + by);
  put(input, many ? String(many) : "");
  say(input);
  input.dispatchEvent(new Event("stepped", { bubbles: true })); // to the pad
};
for (const input of form.querySelectorAll("input[data-steps]")) {
  const [less, more] = [made(".step-less"), made(".step-more")];
  const picture = input.closest(".picture");
  for (const [button, by] of [[less, -1], [more, 1]]) {
    const label = input.labels[0];
    if (label) {
      label.id ||= `${input.id}_label`;
      button.setAttribute("aria-describedby", label.id);
    } else button.ariaDescription = input.ariaLabel;
    button.addEventListener("click", () => step(input, by));
  }
  if (picture) more.classList.add("step-picture");
  const box = document.createElement("span");
  box.className = "stepper";
  const typing = document.activeElement === input; // it was quicker than this file; moved, it would lose the focus
  input.replaceWith(box);
  box.append(less, input, more);
  if (typing) input.focus({ preventScroll: true });
  if (picture) picture.append(more);
  input.addEventListener("keydown", (event) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    step(input, by);
  });
}
const many = () => {
  for (const input of form.querySelectorAll("input[data-steps]")) {
    const count = parseInt(input.value, 10) || 0;
    const [picture, box] = [input.closest(".picture"), input.parentElement];
    box.querySelector(".step-less").classList.toggle("is-never", !count);
    (picture ?? box).querySelector(".step-more").classList.toggle("is-never", !can(input).is(String(count + 1)));
    picture?.classList.toggle("is-laid", count > 0);
    for (const words of picture?.querySelectorAll("[data-many]") ?? []) words.hidden = +words.dataset.many !== count;
  }
};
const trump = () => {
  const suit = form.querySelector("[name=trump]:checked, select[name=trump]")?.value ?? "";
  const name = suit.replace(/s$/, "") || "trump";
  for (const use of form.querySelectorAll("use[data-trump]")) {
    use.setAttribute("href", use.getAttribute("href").replace(/#.*/, `#${name}`));
    use.closest("svg").setAttribute("class", `suit suit-${name}`);
  }
  form.dataset.trump = suit;
  for (const picture of form.querySelectorAll(".picture[data-suit]")) {
    picture.classList.toggle("is-royal", picture.dataset.suit === suit);
  }
};

/* Melds one by one, in the order of laying */
for (const palette of form.querySelectorAll(".palette")) {
  palette.hidden = false;
  palette.addEventListener("click", (event) => {
    const lay = event.target.closest("[data-lay]")?.dataset.lay;
    if (lay === undefined) return;
    const places = [...palette.parentElement.querySelectorAll("select")];
    const place = lay ? places.find((one) => !one.value) : places.findLast((one) => one.value);
    if (!place) return;
    place.value = lay;
    place.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

form.addEventListener("pointerdown", (event) => { // the focus stays where it is
  if (event.target.closest("button[type=button]")) event.preventDefault();
});

export const dock = form.querySelector(".dock");
export const measure = () => { // how much of the window the keys and the bar take
  document.documentElement.style.setProperty("--dock", `${dock.offsetHeight}px`);
};
new ResizeObserver(() => { // grown by a problem in words, it covers no field in which somebody types
  measure();
  const field = document.activeElement, over = dock.getBoundingClientRect();
  const { top, bottom } = field.getBoundingClientRect();
  if (field.closest(".deal-form > :not(.dock)") && bottom > over.top && top < over.bottom) {
    field.scrollIntoView({ block: "nearest" });
  }
}).observe(dock);

/* What is read before it is confirmed comes into sight above the bar, where there is room for all of it; else it begins
   at the window's edge. The bar with the question stays in sight: below a long list nobody found it. */
export const slip = form.elements.sure && form.querySelector(".slip"); // what a correction would change
if (slip) {
  document.fonts.ready.then(() => {
    const refused = form.querySelector("#refused");
    measure();
    slip.scrollIntoView({ block: "nearest" });
    const room = slip.getBoundingClientRect().bottom <= dock.getBoundingClientRect().top;
    if (!room || refused.getBoundingClientRect().top < 0) refused.scrollIntoView({ block: "start" });
  });
}

/* Reasons that somebody has opened stay open while the figures change */
const told = form.querySelector("#live-check");
let open = false;
told.addEventListener("htmx:beforeSwap", () => { open = Boolean(told.querySelector("details")?.open); });
told.addEventListener("htmx:afterSwap", () => { if (open) told.querySelector("details")?.setAttribute("open", ""); });

const settle = (edited) => {
  share(edited);
  none(edited);
  many();
  trump();
};
form.addEventListener("input", ({ target: field }) => {
  if (field.matches?.("[data-whole], [data-none-by]")) own(field);
  settle(field);
});
form.addEventListener("toggle", () => settle(), true);
form.addEventListener("reset", () => settle());
addEventListener("pageshow", () => settle()); // also when the browser brings back what was typed
settle();
