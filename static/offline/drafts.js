/* Drafts: a half-typed form outlives a reload, a closed tab, a phone that slept. */
import { newId } from "../ids.js";
import * as kept from "../kept.js";
import { form, owner, here, correcting, bound, isBusy, part, word, fill } from "./panel.js";
import { read, typed, typedAnew, isBlank, write, pageNumber, setNumber } from "./form.js";

const key = `${owner}|${here}`;

export const saveDraftNow = () => kept.drafts.put(key, { fields: read(), begun: form.dataset.begun, at: Date.now() });
export const dropDraft = () => kept.drafts.drop(key);
export const saveDraft = async () => {
  if (isBusy()) return;
  if (isBlank()) await dropDraft();
  else await saveDraftNow();
};

export const showDraft = () => { // it stays the deal that it was: which one it is, Save asks
  const { value: number } = form.elements.number;
  part("recorded").textContent = Number(number) < pageNumber ? fill(word("recorded"), { number }) : "";
  part("draft").hidden = false;
};

export const restoreDraft = async () => {
  const draft = await kept.drafts.get(key);
  if (!draft || bound) return false;
  const { number, seen, submission } = Object.fromEntries(draft.fields);
  const saved = (await kept.all()).some((deal) => // the page went away while it was saved
    deal.submission === submission && typed(deal.fields) === typed(draft.fields));
  if (saved || (correcting && seen !== form.elements.seen.value)) {
    await dropDraft();
    return false;
  }
  const now = typedAnew(); // typed while the page began
  const before = draft.fields.filter(([name]) => !now.some(([known]) => known === name));
  setNumber(number);
  write([...before, ...now]);
  form.dataset.begun = draft.begun ?? ""; // for the pad
  showDraft();
  return true;
};

export const clear = async (number) => { // the next deal's form, as the server would send it
  await dropDraft(); // first: whoever reads the new number can write on
  write();
  form.elements.submission.value = newId();
  setNumber(number);
  for (const name of ["as_number", "sure", "ruling"]) form.elements[name]?.closest(".field")?.remove();
  for (const old of form.querySelectorAll(".refused, .figure-errors, .errors")) old.remove();
  for (const field of form.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
  for (const answer of form.querySelectorAll("#live-check, #bar")) answer.replaceChildren();
  form.dispatchEvent(new Event("reset")); // resets the pad, too
  part("draft").hidden = true;
};
