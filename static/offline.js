/* A card without network: what is saved goes to the server in time, or is kept on this phone, shown, and sent later.

   Works on any form.deal-form beside a [data-kept] panel (templates/scoring/cards/_kept.html), on plain HTTP too; the
   service worker, which opens the page itself without network, comes with HTTPS or localhost. kept.js has the queue.
   Forms without script, and browsers without IndexedDB, post as they always did. */
import { newId } from "./ids.js";
import * as kept from "./kept.js";
import {
  panel, form, here, correcting, bound, stale, isBusy, part, word, fill, tell, leave, take,
} from "./offline/panel.js";
import { isBlank, setNumber, dropPoints } from "./offline/form.js";
import { saveDraft, restoreDraft, clear } from "./offline/drafts.js";
import { mine, nextNumber, show } from "./offline/list.js";
import { attempt, saveBy, sendAtOnce, sendLater, sendSoon, settle, takeOver, tryShut } from "./offline/sending.js";

const { newsAt, worker } = panel.dataset;
const LOOK = 8000; // milliseconds between one question for what others have changed and the next

const begin = async () => { // whether this browser can keep anything
  try {
    await kept.all();
  } catch {
    form?.setAttribute("data-unkept", "");
    return false;
  }
  if (bound && form.dataset.bound !== "late") { // gone back to, it is the card with the draft, not the form sent again
    history.replaceState(null, ""); // where another was first, only the answer says so
  }
  navigator.serviceWorker?.register(worker).then(() => navigator.serviceWorker.ready).then((ready) => {
    if (form && !correcting) ready.active.postMessage({ keep: location.href });
  }).catch(() => { /* without a worker the page opens only with the network */ });
  const looks = take("look") !== null; // somebody wants to see what is new: the page opens at its top
  tell((take("news") ?? []).join(" "));
  if (stale !== undefined) {
    tell(stale ? fill(word("stale"), { time: timeOf(stale) }) : word("stale-then"));
  }
  if (form && stale === undefined) {
    await takeOver(() => true); // refused deals too: they are put right here
    await tryShut();
  }
  const restored = form && await restoreDraft();
  if (form && !restored && !bound && !correcting) {
    setNumber(nextNumber(await mine()));
    const used = (await kept.all()).some((deal) => deal.submission === form.elements.submission.value);
    if (stale !== undefined || used) form.elements.submission.value = newId(); // a kept page always has the same one
  }
  await show();
  if (restored) form.dispatchEvent(new CustomEvent("restored", { detail: { looks } })); // to the pad
  if (looks) scrollTo({ top: 0, behavior: "instant" });
  return true;
};

/* What others change meanwhile: shown at once where nothing is typed and nobody has touched the page for some seconds,
   else said, and shown on a tap */
let touchedAt = 0;
for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, () => { touchedAt = Date.now(); });
const isSaid = () => isBusy() || !part("old").hidden || !part("changed").hidden;
const look = async () => {
  if (!newsAt || stale !== undefined || document.hidden || !navigator.onLine || isSaid()) return;
  const answer = await kept.ask(newsAt);
  if (!answer || answer.status === 204 || answer.moved || isSaid()) return; // moved: to the log-in
  if (form && !bound && !correcting && isBlank() && !(await mine()).length) {
    if (Date.now() - touchedAt > LOOK / 2) location.reload();
  } else part("changed").hidden = panel.hidden = false;
};

const listen = () => {
  let pause = 0;
  form?.addEventListener("input", () => {
    clearTimeout(pause);
    pause = setTimeout(saveDraft, 300);
  });
  if (form && !bound && !isBlank()) saveDraft(); // typed before anybody listened
  form?.addEventListener("htmx:sendError", (event) => { // points need the server; being without it is no error here
    event.stopPropagation();
    if (part("news").hidden) tell(word("no-points"));
    dropPoints();
  });
  for (const name of ["old", "changed"]) part(name).querySelector("a").addEventListener("click", () => leave("look", true));
  part("send").addEventListener("click", sendAtOnce);
  part("clear").addEventListener("click", async () => {
    await clear(correcting ? form.elements.number.value : nextNumber(await mine()));
    await show();
  });
  panel.addEventListener("discarded", attempt);
  addEventListener("pagehide", () => { if (form) saveDraft(); });
  addEventListener("online", () => sendSoon()); // the Wi-Fi is back, but the server may take a moment longer
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    sendSoon();
    look();
  });
  setInterval(look, LOOK);
  navigator.serviceWorker?.addEventListener("message", ({ data }) => { if (data?.kept) settle(data.kept); });
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    form?.removeAttribute("aria-busy");
    show();
  });
  if (stale === undefined) attempt();
  else sendLater();
};

const begun = begin();
saveBy(begun);
begun.then((keeps) => { if (keeps) listen(); });
