/* The panel of what this phone keeps (templates/scoring/cards/_kept.html): its parts, its words, the card it belongs to. */
export const panel = document.querySelector("[data-kept]");
export const form = document.querySelector("form.deal-form"); // null where the card takes no deal
export const { owner, game } = panel.dataset;
export const here = new URL(form?.action ?? location.href).pathname; // the card: a table's page shows several games
export const correcting = Boolean(form?.elements.seen); // a correction is sent at once or not at all, never queued
export const bound = Boolean(form && "bound" in form.dataset); // the server has checked these figures
export const stale = document.documentElement.dataset.keptAt; // from when this page is, if the worker had kept it
export const isBusy = () => Boolean(form?.hasAttribute("aria-busy")); // being saved, or the next page is on its way

const parts = panel.querySelector("template").content;
export const part = (name) => panel.querySelector(`[data-kept-${name}]`);
export const word = (name) => parts.querySelector(`[data-word="${name}"]`).textContent.trim();
export const fill = (text, words) => text.replace(/%\((\w+)\)s/g, (_all, name) => words[name]);
export const made = (name) => parts.querySelector(`[data-part="${name}"]`).cloneNode(true);

export const tell = (sentence) => {
  part("news").textContent = sentence;
  part("news").hidden = !sentence;
  if (sentence) panel.hidden = false;
};

/* For this page in this tab, read once */
export const leave = (name, value) => {
  try { sessionStorage.setItem(`${name}:${here}`, JSON.stringify(value)); } catch { /* then it is lost */ }
};
export const take = (name) => {
  try {
    const value = JSON.parse(sessionStorage.getItem(`${name}:${here}`));
    sessionStorage.removeItem(`${name}:${here}`);
    return value;
  } catch {
    return null;
  }
};
