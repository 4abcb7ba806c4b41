/* A card without network: what is saved goes to the server in time, or is kept on this phone, shown, and sent later.

   Works on any form.deal-form beside a [data-kept] panel (templates/scoring/cards/_kept.html), on plain HTTP too; the
   service worker, which opens the page itself without network, comes with HTTPS or localhost. kept.js has the queue.
   Forms without script, and browsers without IndexedDB, post as they always did. */
(async () => {
  "use strict";
  const panel = document.querySelector("[data-kept]");
  if (!panel || !self.kept) return;
  const form = document.querySelector("form.deal-form");
  const { owner, game, newsAt, passAt, worker } = panel.dataset;
  const here = new URL(form?.action ?? location.href).pathname; // the card: a table's page shows several games
  const draftKey = `${owner}|${here}`;
  const correcting = Boolean(form?.elements.seen); // a correction is sent at once or not at all, never queued
  const bound = Boolean(form && "bound" in form.dataset); // the server has checked these figures
  const part = (name) => panel.querySelector(`[data-kept-${name}]`);
  const word = (name) => panel.querySelector("template").content.querySelector(`[data-word="${name}"]`).textContent.trim();
  const fill = (text, words) => text.replace(/%\((\w+)\)s/g, (_all, name) => words[name]);
  const made = (name) => panel.querySelector("template").content.querySelector(`[data-part="${name}"]`).cloneNode(true);

  /* ---- The form as names and values ------------------------------------------------------------------------------ */

  const APART = ["csrfmiddlewaretoken", "check"];
  const IDENTITY = ["number", "submission", "as_number"];
  const read = () => [...new FormData(form)].filter(([name, value]) => !APART.includes(name) && typeof value === "string");
  const typed = (fields) => JSON.stringify(fields.filter(([name, value]) => value !== "" && !IDENTITY.includes(name)));

  const write = (fields) => {
    const given = new Map();
    for (const [name, value] of fields) given.set(name, [...(given.get(name) ?? []), value]);
    for (const field of form.elements) {
      if (!field.name || [...APART, "number"].includes(field.name) || ["submit", "button"].includes(field.type)) continue;
      const mark = ["checkbox", "radio"].includes(field.type);
      const before = mark ? field.checked : field.value;
      if (mark) field.checked = given.get(field.name)?.includes(field.value) ?? false;
      else field.value = given.get(field.name)?.shift() ?? "";
      if (field.localName === "select" && field.selectedIndex < 0) field.selectedIndex = 0;
      if (before !== (mark ? field.checked : field.value)) field.dispatchEvent(new Event("input", { bubbles: true }));
    }
    for (const fold of form.querySelectorAll("details")) {
      const usual = ({ name, value }) => blank.some(([known, empty]) => known === name && empty === value);
      fold.open = [...fold.querySelectorAll("input, select")].some((field) => field.value && !usual(field) &&
        (!["checkbox", "radio"].includes(field.type) || field.checked));
    }
  };

  const sent = () => [...form.elements].flatMap((field) => { // as the server sent the form, whatever stands there by now
    if (!field.name || field.disabled || APART.includes(field.name) || ["submit", "button"].includes(field.type)) return [];
    if (["checkbox", "radio"].includes(field.type)) return field.defaultChecked ? [[field.name, field.value]] : [];
    if (field.localName !== "select") return [[field.name, field.defaultValue]];
    const answer = [...field.options].find((one) => one.defaultSelected) ?? field.options[0];
    return [[field.name, answer.value]];
  });
  let blank = form && !bound ? sent() : null; // the form's values when nothing is typed
  const blankKey = `blank:${here}`;
  try {
    if (blank) sessionStorage.setItem(blankKey, JSON.stringify(blank));
    else if (form) blank = JSON.parse(sessionStorage.getItem(blankKey)) ?? [];
  } catch { blank ??= []; }
  const isBlank = () => typed(read()) === typed(blank);

  const uuid = () => { // crypto.randomUUID isn't there on plain HTTP
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  };

  const pageNumber = form ? Number(form.elements.number.value) : 0;
  const setNumber = (number) => {
    const before = form.elements.number.value;
    for (const heading of [form.closest("section")?.querySelector("h2"), document.querySelector(".card-head .deal-now")]) {
      if (heading) heading.textContent = heading.textContent.replace(before, String(number));
    }
    const beforeDeal = document.querySelector("[data-before-deal]"); // of the deal that the server knows as the next
    if (beforeDeal) beforeDeal.hidden = Number(number) !== pageNumber;
    form.elements.number.value = String(number);
  };

  const clear = async (number) => { // the next deal's form, as the server would send it
    await kept.drafts.drop(draftKey); // first: whoever reads the new number can write on
    write(blank);
    form.elements.submission.value = uuid();
    setNumber(number);
    for (const name of ["as_number", "sure", "ruling"]) form.elements[name]?.closest(".field")?.remove();
    for (const old of form.querySelectorAll(".refused, .figure-errors, .errors, .errorlist")) old.remove();
    for (const field of form.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
    for (const told of form.querySelectorAll("#reckoned, #bar")) told.replaceChildren();
    form.dispatchEvent(new Event("reset")); // resets the pad, too
    part("draft").hidden = true;
  };

  const unreckon = () => { // what the server said of other figures than stand there now
    form.querySelector("#reckoned").replaceChildren();
    for (const old of form.querySelectorAll("#bar :is(.first, .still-empty)")) old.remove();
    for (const points of form.querySelectorAll("#bar dd")) points.textContent = "\u00a0";
  };

  const figures = () => { // what was typed, in the words of the form
    const told = new Map();
    for (const field of form.elements) {
      const mark = ["checkbox", "radio"].includes(field.type);
      if (!field.name || field.type === "hidden" || field.type === "submit" || field.name === "as_number") continue;
      const value = field.localName === "select" ? field.selectedOptions[0]?.text : field.value;
      if (mark ? !field.checked : !field.value) continue;
      const legend = field.closest("fieldset")?.querySelector("legend")?.textContent.trim() ?? "";
      const label = field.labels?.[0]?.textContent.trim() ?? field.ariaLabel ?? "";
      const name = mark ? legend : [label, legend].filter(Boolean).join(", ");
      const answer = mark ? label : value;
      told.set(name, told.has(name) ? `${told.get(name)}, ${answer}` : answer);
    }
    return [...told];
  };

  /* ---- Drafts: a half-typed form outlives a reload, a closed tab, a phone that slept ------------------------------ */

  const DAY = 24 * 3600 * 1000;
  const saveDraftNow = () =>
    kept.drafts.put(draftKey, { fields: read(), begun: form.dataset.begun, at: Date.now() });
  const saveDraft = async () => {
    if (busy) return;
    if (isBlank()) await kept.drafts.drop(draftKey);
    else await saveDraftNow();
  };
  const showDraft = () => { // it stays the deal that it was: which one it is, Save asks
    const { value: number } = form.elements.number;
    part("recorded").textContent = Number(number) < pageNumber ? fill(word("recorded"), { number }) : "";
    part("draft").hidden = false;
  };
  const restoreDraft = async () => {
    const draft = await kept.drafts.get(draftKey);
    if (!draft || bound) return false;
    const { number, seen, submission } = Object.fromEntries(draft.fields);
    const saved = (await kept.all()).some((deal) => // the page went away while it was saved
      deal.submission === submission && typed(deal.fields) === typed(draft.fields));
    if (saved || Date.now() - draft.at > DAY || (correcting && seen !== form.elements.seen.value)) {
      await kept.drafts.drop(draftKey);
      return false;
    }
    const now = read().filter(([name, value]) => value !== "" && !IDENTITY.includes(name) && // typed while the page began
      !blank.some(([known, empty]) => known === name && empty === value));
    const before = draft.fields.filter(([name]) => !now.some(([known]) => known === name));
    setNumber(number);
    write([...before, ...now]);
    form.dataset.begun = draft.begun ?? ""; // for the pad
    showDraft();
    return true;
  };

  /* ---- What is kept, shown ----------------------------------------------------------------------------------------- */

  const reasons = (why) => { // the server's sentences, or those for a page that isn't a card (an expired link)
    if (Array.isArray(why)) return why;
    const page = new DOMParser().parseFromString(why, "text/html");
    const told = page.querySelectorAll("main [role=alert] p");
    const spots = told.length ? told : page.querySelectorAll("main h1, main .lede");
    return [...new Set([...spots].map((spot) => spot.textContent.replace(/\s+/g, " ").trim()).filter(Boolean))];
  };

  const item = (deal) => {
    const shown = made("deal");
    const slot = (name) => shown.querySelector(`[data-slot="${name}"]`);
    slot("deal").textContent = fill(word("deal"), { number: deal.number });
    slot("state").textContent = word(deal.over ? "over" : deal.state);
    slot("state").classList.add(`state-${deal.state}`);
    slot("at").textContent = fill(word("at"), { time: timeOf(deal.at) });
    for (const [label, value] of deal.figures) {
      const row = slot("figures").appendChild(document.createElement("div"));
      row.append(Object.assign(document.createElement("dt"), { textContent: label }));
      row.append(Object.assign(document.createElement("dd"), { textContent: value }));
    }
    for (const sentence of deal.why ? reasons(deal.why) : []) {
      slot("why").append(Object.assign(document.createElement("p"), { textContent: sentence }));
    }
    slot("log-in").hidden = deal.state !== "log-in";
    const [change, discard] = [slot("change"), slot("discard")];
    change.hidden = !form || correcting;
    change.addEventListener("click", () => putRight(deal));
    change.hidden ||= deal.over;
    if (deal.state === "late" && !deal.over) {
      change.textContent = word("another");
      slot("why").append(Object.assign(document.createElement("p"), { textContent: word("same-deal") }));
    }
    discard.addEventListener("click", async () => {
      if (discard.dataset.sure === undefined) {
        discard.dataset.sure = "";
        discard.textContent = word("sure");
        change.hidden = true; // else the longer word goes to a line of its own, away from the finger
        discard.scrollIntoView({ block: "nearest" });
        return;
      }
      await kept.discard(deal.id);
      if (deal.state !== "late") await kept.renumber(here, deal.number);
      if (form && isBlank()) setNumber(nextNumber(await mine()));
      await show();
      attempt();
    });
    return shown;
  };

  const mine = async () => (await kept.all()).filter((deal) => deal.owner === owner && deal.page === here);
  const unsent = (deals) => deals.filter((deal) => deal.state !== "late");
  const nextNumber = (deals) => Math.max(pageNumber, ...unsent(deals).map((deal) => deal.number + 1));

  const show = async () => {
    const inForm = form?.elements.submission.value;
    const deals = (await mine()).filter((deal) => deal.submission !== inForm);
    const elsewhere = (await kept.all()).filter((deal) => deal.owner === owner && deal.page !== here);
    const open = unsent(deals).length;
    panel.hidden = !deals.length && !elsewhere.length && ["news", "old", "changed", "draft"].every((name) => part(name).hidden);
    part("list").replaceChildren(...deals.map(item));
    part("box").hidden = !deals.length;
    part("count").textContent = fill(word(open ? "count" : "count-late"), { number: open || deals.length });
    part("totals").hidden = !deals.some((deal) => kept.GOING.includes(deal.state));
    part("send").hidden = !open;
    part("fold").open ||= deals.some((deal) => deal.state !== "waiting");
    part("elsewhere").replaceChildren(...elsewhere.map((deal) => {
      const shown = made("elsewhere");
      Object.assign(shown.querySelector("a"), { href: deal.page, textContent: deal.title });
      shown.querySelector("span").textContent = `${fill(word("deal"), { number: deal.number })}: ${word(deal.state)}`;
      return shown;
    }));
    for (const old of document.querySelectorAll(".without-kept")) old.remove();
    if (open) for (const totals of document.querySelectorAll("dl.totals")) {
      totals.after(Object.assign(made("without"), { textContent: fill(word("without"), { number: open }) }));
    }
  };

  const tell = (sentence) => {
    part("news").textContent = sentence;
    part("news").hidden = !sentence;
    if (sentence) panel.hidden = false;
  };

  const putRight = async (deal) => {
    if (!isBlank()) {
      tell(word("not-blank"));
      panel.scrollIntoView({ block: "start" });
      return;
    }
    setNumber(deal.state === "late" ? nextNumber(await mine()) : deal.number);
    write(deal.fields);
    tell("");
    showDraft();
    await saveDraft();
    await show();
    form.scrollIntoView({ block: "start" });
  };

  /* ---- Saving --------------------------------------------------------------------------------------------------------- */

  let busy = false, through = false;
  const passOn = (button) => { // post as without script: the answer replaces this page
    through = true;
    form.requestSubmit(button?.form === form ? button : form.querySelector("[type=submit]:not([name])"));
  };

  const complete = () => { // the browser's own checks: required fields, and numbers
    const wrong = [...form.elements].find((field) => field.willValidate && !field.checkValidity());
    for (let fold = wrong?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    wrong?.reportValidity();
    return !wrong;
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
    const done = await kept.send({ passAt, now: { submission, token: token.value } });
    clearTimeout(slow);
    tell("");
    token.value = done.token ?? token.value;
    const stored = (await mine()).find((one) => one.submission === submission);
    const state = stored ? stored.state : "recorded"; // else the worker was quicker
    const own = done.own?.state ?? (state === "waiting" ? (done.away ? "away" : "blocked") : state);
    if (own === "recorded") {
      await kept.drafts.drop(draftKey);
      location.assign(done.own?.to ?? form.action);
      return true;
    }
    if (own === "same") { // the other phone was first
      announce([fill(word("same"), { number: deal.number })]);
      location.assign(form.action);
      return true;
    }
    if (["refused", "late"].includes(own)) {
      const others = unsent(await mine()).some((one) => one.submission !== submission);
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

  form?.addEventListener("submit", async (event) => {
    if (through || "unkept" in form.dataset) {
      through = false;
      return;
    }
    event.preventDefault();
    if (busy) return;
    busy = true;
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
    busy = leaving; // stays busy while the next page loads
    if (!leaving) form.removeAttribute("aria-busy");
  });

  /* ---- Sending by itself: when the network is back, when the page is looked at again, and now and then --------------- */

  const SOON = 1000, FIRST = 5000, LONGEST = 60000; // milliseconds between one try and the next
  let wait = FIRST, timer = 0;
  const stale = document.documentElement.dataset.keptAt;

  const announce = (news) => { // on this card's next page
    try { sessionStorage.setItem(`news:${here}`, JSON.stringify(news)); } catch { /* then the news isn't shown */ }
  };
  const settle = async (done) => { // something was sent, by this page or by the worker
    if (busy) return;
    const news = [...done.said, ...done.sent.filter((deal) => deal.state === "same")
      .map((deal) => fill(word("same"), { number: deal.number }))];
    if ((done.sent.length || stale !== undefined) && !done.away) {
      if (!form || (isBlank() && !bound)) {
        announce(news);
        if (form) form.inert = true; // typing while the page reloads would be lost
        location.reload();
        return;
      }
      part("old").hidden = false;
      part("changed").hidden = true;
    }
    if (news.length || done.stopped) tell(news.join(" "));
    await show();
    if (done.stopped && await takeOver(isShut)) again(SOON);
  };
  const isShut = (deal) => deal.state === "closed";
  const tryShut = async () => { // what the card took nothing of may go now: it is open, or somebody wants to know
    for (const deal of await mine()) if (isShut(deal)) await kept.keep({ ...deal, state: "waiting", why: "" });
  };
  const takeOver = async (which) => { // what was kept for another link of the same game
    if (!form || correcting || !game) return false;
    const left = (await kept.all())
      .filter((deal) => deal.owner === owner && deal.game === game && deal.page !== here && which(deal));
    for (const deal of left) {
      const open = isShut(deal) ? { state: "waiting", why: "" } : {};
      await kept.keep({ ...deal, page: here, action: form.action, ...open });
    }
    return left.length > 0;
  };
  const attempt = async () => {
    clearTimeout(timer);
    const waiting = (await kept.all()).some((deal) => kept.GOING.includes(deal.state));
    if (busy || !(waiting || stale !== undefined) || document.hidden) return;
    const done = waiting ? await kept.send({ passAt }) : { away: !(await kept.pass(passAt)), sent: [], said: [] };
    await settle(done);
    if (done.away && !busy) {
      timer = setTimeout(attempt, wait);
      wait = Math.min(2 * wait, LONGEST);
    }
  };
  const again = (first) => {
    wait = first;
    attempt();
  };
  const wake = () => { // something may have changed: try soon, and let the browser do it where it can
    wait = FIRST;
    clearTimeout(timer);
    timer = setTimeout(attempt, wait);
    navigator.serviceWorker?.ready.then((ready) => ready.sync?.register("kept-deals")).catch(() => { /* not allowed */ });
  };

  /* ---- What others change meanwhile: told, and shown on a tap, since somebody may be typing -------------------------- */

  const LOOK = 8000; // milliseconds
  const told = () => busy || !part("old").hidden || !part("changed").hidden;
  const lookKey = `look:${here}`; // somebody has tapped it: the page opens at its top, not at the figure that is asked
  const look = async () => {
    if (!newsAt || stale !== undefined || document.hidden || !navigator.onLine || told()) return;
    const answer = await kept.ask(newsAt);
    if (!answer || answer.status === 204 || answer.moved || told()) return; // moved: to the log-in
    part("changed").hidden = panel.hidden = false;
  };

  /* ---- Beginning -------------------------------------------------------------------------------------------------------- */

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
    let looks = false;
    try {
      looks = sessionStorage.getItem(lookKey) !== null;
      sessionStorage.removeItem(lookKey);
      const news = JSON.parse(sessionStorage.getItem(`news:${here}`)) ?? [];
      sessionStorage.removeItem(`news:${here}`);
      tell(news.join(" "));
    } catch { /* nothing to say */ }
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
      if (stale !== undefined || used) form.elements.submission.value = uuid(); // a kept page always has the same one
    }
    await show();
    if (restored) form.dispatchEvent(new CustomEvent("restored", { detail: { looks } })); // to the pad
    if (looks) scrollTo({ top: 0, behavior: "instant" });
    return true;
  };
  const begun = begin(); // what is saved before it has ended waits for it
  if (!await begun) return;
  let pause = 0;
  form?.addEventListener("input", () => {
    clearTimeout(pause);
    pause = setTimeout(saveDraft, 300);
  });
  if (form && !bound && !isBlank()) saveDraft(); // typed before anybody listened
  form?.addEventListener("htmx:sendError", (event) => { // points need the server; being without it is no error here
    event.stopPropagation();
    if (part("news").hidden) tell(word("no-points"));
    unreckon();
  });
  for (const name of ["old", "changed"]) part(name).querySelector("a").addEventListener("click", () => {
    try { sessionStorage.setItem(lookKey, ""); } catch { /* then it opens where somebody types */ }
  });
  part("send").addEventListener("click", async () => {
    await tryShut();
    again(FIRST);
  });
  part("clear").addEventListener("click", async () => {
    await clear(correcting ? form.elements.number.value : nextNumber(await mine()));
    await show();
  });
  addEventListener("pagehide", () => { if (form) saveDraft(); });
  addEventListener("online", () => again(SOON)); // the Wi-Fi is back, but the server may take a moment longer
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    again(SOON);
    look();
  });
  setInterval(look, LOOK);
  navigator.serviceWorker?.addEventListener("message", ({ data }) => { if (data?.kept) settle(data.kept); });
  addEventListener("pageshow", (event) => { if (event.persisted) { busy = false; show(); } });
  if (stale === undefined) attempt();
  else timer = setTimeout(attempt, FIRST);
})();
