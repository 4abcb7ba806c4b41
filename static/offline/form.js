/* A deal's form as names and values: what is typed in it, and what is written into it. */
import { form, here, bound } from "./panel.js";

const APART = ["csrfmiddlewaretoken", "check"];
const IDENTITY = ["number", "submission", "as_number"];
const isMark = (field) => ["checkbox", "radio"].includes(field.type);
const isButton = (field) => ["submit", "button"].includes(field.type);

export const read = () =>
  [...new FormData(form)].filter(([name, value]) => !APART.includes(name) && typeof value === "string");
const answers = (fields) => fields.filter(([name, value]) => value !== "" && !IDENTITY.includes(name));
export const typed = (fields) => JSON.stringify(answers(fields));

const sent = () => [...form.elements].flatMap((field) => { // as the server sent the form, whatever is in it by now
  if (!field.name || field.disabled || APART.includes(field.name) || isButton(field)) return [];
  if (isMark(field)) return field.defaultChecked ? [[field.name, field.value]] : [];
  if (field.localName !== "select") return [[field.name, field.defaultValue]];
  const answer = [...field.options].find((option) => option.defaultSelected) ?? field.options[0];
  return [[field.name, answer.value]];
});
let blank = form && !bound ? sent() : null; // the form's values when nothing is typed
const blankKey = `blank:${here}`;
try {
  if (blank) sessionStorage.setItem(blankKey, JSON.stringify(blank));
  else if (form) blank = JSON.parse(sessionStorage.getItem(blankKey)) ?? [];
} catch { blank ??= []; }
const isUsual = (name, value) => blank.some(([known, empty]) => known === name && empty === value);
export const isBlank = () => typed(read()) === typed(blank);
export const typedAnew = () => answers(read()).filter(([name, value]) => !isUsual(name, value));

export const write = (fields = blank) => {
  const given = new Map();
  for (const [name, value] of fields) given.set(name, [...(given.get(name) ?? []), value]);
  for (const field of form.elements) {
    if (!field.name || [...APART, "number"].includes(field.name) || isButton(field)) continue;
    const before = isMark(field) ? field.checked : field.value;
    if (isMark(field)) field.checked = given.get(field.name)?.includes(field.value) ?? false;
    else field.value = given.get(field.name)?.shift() ?? "";
    if (field.localName === "select" && field.selectedIndex < 0) field.selectedIndex = 0;
    if (before !== (isMark(field) ? field.checked : field.value)) {
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
  }
  for (const fold of form.querySelectorAll("details")) {
    fold.open = [...fold.querySelectorAll("input, select")].some((field) =>
      field.value && !isUsual(field.name, field.value) && (!isMark(field) || field.checked));
  }
};

export const pageNumber = form ? Number(form.elements.number.value) : 0;
export const setNumber = (number) => {
  const before = form.elements.number.value;
  for (const heading of [form.closest("section")?.querySelector("h2"), document.querySelector(".card-head .deal-now")]) {
    if (heading) heading.textContent = heading.textContent.replace(before, String(number));
  }
  const beforeDeal = document.querySelector("[data-before-deal]"); // of the deal that the server knows as the next
  if (beforeDeal) beforeDeal.hidden = Number(number) !== pageNumber;
  form.elements.number.value = String(number);
};

export const dropPoints = () => { // what the server said of figures that aren't in the form any more
  form.querySelector("#live-check").replaceChildren();
  for (const old of form.querySelectorAll("#bar :is(.first, .still-empty)")) old.remove();
  for (const points of form.querySelectorAll("#bar dd")) points.textContent = "\u00a0";
};

export const figures = () => { // what was typed, in the words of the form
  const words = new Map();
  for (const field of form.elements) {
    if (!field.name || field.type === "hidden" || field.type === "submit" || field.name === "as_number") continue;
    const value = field.localName === "select" ? field.selectedOptions[0]?.text : field.value;
    if (isMark(field) ? !field.checked : !field.value) continue;
    const legend = field.closest("fieldset")?.querySelector("legend")?.textContent.trim() ?? "";
    const label = field.labels?.[0]?.textContent.trim() ?? field.ariaLabel ?? "";
    const name = isMark(field) ? legend : [label, legend].filter(Boolean).join(", ");
    const answer = isMark(field) ? label : value;
    words.set(name, words.has(name) ? `${words.get(name)}, ${answer}` : answer);
  }
  return [...words];
};

export const complete = () => { // the browser's own checks: required fields, and numbers
  const wrong = [...form.elements].find((field) => field.willValidate && !field.checkValidity());
  for (let fold = wrong?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  wrong?.reportValidity();
  return !wrong;
};
