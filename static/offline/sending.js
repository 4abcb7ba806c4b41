/* Sending: what is saved goes to the server in time, or is kept, and the next deal's form is there. What is kept goes by
   itself: when the network is back, when the page is looked at again, and now and then. */
import * as kept from "../kept.js";
import {
  panel, form, owner, game, here, correcting, bound, stale, isBusy, part, word, fill, tell, leave,
} from "./panel.js";
import { read, figures, complete, isBlank } from "./form.js";
import { saveDraftNow, dropDraft, clear } from "./drafts.js";
import { mine, unsent, nextNumber, show } from "./list.js";

const SOON = 1000, FIRST = 5000, LONGEST = 60000; // milliseconds between one try and the next
const { passAt } = panel.dataset;
let wait = FIRST, timer = 0;

const isShut = (deal) => deal.state === "closed";
export const tryShut = async () => { // what the card took nothing of may go now: it is open, or somebody wants to know
  for (const deal of await mine()) if (isShut(deal)) await kept.keep({ ...deal, state: "waiting", why: "" });
};

export const takeOver = async (which) => { // what was kept for another link of the same game
  if (!form || correcting || !game) return false;
  const left = (await kept.all())
    .filter((deal) => deal.owner === owner && deal.game === game && deal.page !== here && which(deal));
  for (const deal of left) {
    const open = isShut(deal) ? { state: "waiting", why: "" } : {};
    await kept.keep({ ...deal, page: here, action: form.action, ...open });
  }
  return left.length > 0;
};

export const settle = async (done) => { // something was sent, by this page or by the worker
  if (isBusy()) return;
  const news = [...done.said, ...done.sent.filter((deal) => deal.state === "same")
    .map((deal) => fill(word("same"), { number: deal.number }))];
  if ((done.sent.length || stale !== undefined) && !done.away) {
    if (!form || (isBlank() && !bound)) {
      leave("news", news);
      if (form) form.inert = true; // typing while the page reloads would be lost
      location.reload();
      return;
    }
    part("old").hidden = false;
    part("changed").hidden = true;
  }
  if (news.length || done.stopped) tell(news.join(" "));
  await show();
  if (done.stopped && await takeOver(isShut)) sendSoon();
};

export const attempt = async () => {
  clearTimeout(timer);
  const waiting = (await kept.all()).some((deal) => kept.GOING.includes(deal.state));
  if (isBusy() || !(waiting || stale !== undefined) || document.hidden) return;
  const done = waiting ? await kept.sendWaiting({ passAt }) : { away: !(await kept.pass(passAt)), sent: [], said: [] };
  await settle(done);
  if (done.away && !isBusy()) {
    timer = setTimeout(attempt, wait);
    wait = Math.min(2 * wait, LONGEST);
  }
};

export const sendSoon = (first = SOON) => {
  wait = first;
  attempt();
};
export const sendAtOnce = async () => {
  await tryShut();
  sendSoon(FIRST);
};
export const sendLater = () => {
  clearTimeout(timer);
  timer = setTimeout(attempt, FIRST);
};
export const wake = () => { // something may have changed: try soon, and let the browser do it where it can
  wait = FIRST;
  sendLater();
  navigator.serviceWorker?.ready.then((ready) => ready.sync?.register("kept-deals")).catch(() => { /* not allowed */ });
};

/* Save */

let through = false;
const passOn = (button) => { // post as without script: the answer replaces this page
  through = true;
  form.requestSubmit(button?.form === form ? button : form.querySelector("[type=submit]:not([name])"));
};

const save = async (button) => {
  const fields = read();
  const { submission, number, as_number: as } = Object.fromEntries(fields);
  const deal = {
    submission, owner, game, page: here, title: document.querySelector("h1").textContent.trim(), action: form.action,
    number: Number(as || number), fields, figures: figures(), at: Date.now(), state: "waiting", why: "",
  };
  await saveDraftNow();
  await kept.keep(deal);
  const slow = setTimeout(() => tell(word("sending")), 700);
  const token = form.elements.csrfmiddlewaretoken;
  const done = await kept.sendWaiting({ passAt, now: { submission, token: token.value } });
  clearTimeout(slow);
  tell("");
  token.value = done.token ?? token.value;
  const stored = (await mine()).find((other) => other.submission === submission);
  const state = stored ? stored.state : "recorded"; // else the worker was quicker
  const own = done.own?.state ?? (state === "waiting" ? (done.away ? "away" : "blocked") : state);
  if (own === "recorded") {
    await dropDraft();
    location.assign(done.own?.to ?? form.action);
    return true;
  }
  if (own === "same") { // the other phone was first
    leave("news", [fill(word("same"), { number: deal.number })]);
    location.assign(form.action);
    return true;
  }
  if (["refused", "late"].includes(own)) {
    const others = unsent(await mine()).some((other) => other.submission !== submission);
    if (stored && !(others && own === "refused")) await kept.discard(stored.id);
    passOn(button);
    return true;
  }
  if (own === "away" && !complete()) {
    if (stored) await kept.discard(stored.id);
    tell(word("incomplete"));
    return false;
  }
  await clear(nextNumber(await mine()));
  const away = navigator.serviceWorker ? "now-kept" : "now-kept-open";
  tell(fill(word(own === "away" ? away : `own-${own}`), { number: deal.number }));
  show().then(() => panel.scrollIntoView({ block: "nearest" }));
  wake();
  return false; // at once, since the next deal's number is on the screen
};

const sendOrSay = async (button) => { // for Check and corrections: sent, or else what was typed stays
  await saveDraftNow();
  const permit = await kept.pass(passAt);
  if (permit) {
    form.elements.csrfmiddlewaretoken.value = permit.token;
    passOn(button);
    return true;
  }
  tell(word("not-sent"));
  panel.scrollIntoView({ block: "nearest" });
  return false;
};

export const saveBy = (begun) => form?.addEventListener("submit", async (event) => { // `begun`: what is saved waits for it
  if (through || "unkept" in form.dataset) {
    through = false;
    return;
  }
  event.preventDefault();
  if (isBusy()) return;
  form.setAttribute("aria-busy", "true");
  const button = event.submitter;
  let leaving = false;
  try {
    await begun;
    leaving = await (correcting || button?.name === "check" ? sendOrSay(button) : save(button));
  } catch (fault) { // the store is full, or missing in a private window
    console.info(fault);
    passOn(button);
    leaving = true;
  }
  if (!leaving) form.removeAttribute("aria-busy"); // stays busy while the next page loads
});
