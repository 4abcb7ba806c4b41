/* The deals that this phone keeps, shown on their card, and what can be done with each. */
import * as kept from "../kept.js";
import { panel, form, owner, here, correcting, bound, part, word, fill, made, tell } from "./panel.js";
import { isBlank, write, pageNumber, setNumber } from "./form.js";
import { saveDraft, showDraft } from "./drafts.js";

export const mine = async () => (await kept.all()).filter((deal) => deal.owner === owner && deal.page === here);
export const unsent = (deals) => deals.filter((deal) => deal.state !== "late");
export const nextNumber = (deals) => Math.max(pageNumber, ...unsent(deals).map((deal) => deal.number + 1));

/* The card with the deals kept, as far as a phone can say: a fixed number of deals ends any game, and where the points
   are what is typed (data-adds), they add up. The server's word replaces it. */
const sumUp = (deals) => {
  const cells = [...document.querySelectorAll("dl.totals [data-total]")];
  let totals = cells.map((cell) => Number(cell.dataset.total)), over = false;
  const adds = form?.dataset.adds ? JSON.parse(form.dataset.adds) : null;
  const last = Number(form?.dataset.deals) || Infinity;
  const counted = deals.filter((deal) => deal.number >= pageNumber).sort((one, other) => one.number - other.number);
  if (adds) for (const deal of counted) {
    const facts = Object.fromEntries(deal.fields);
    totals = totals.map((total, side) => total + Number((facts[`points_${side}`] || NaN).toString().replace("−", "-")));
    const best = adds.lowest ? Math.min(...totals) : Math.max(...totals);
    const alone = totals.filter((total) => total === best).length === 1;
    over ||= Boolean(adds.target && alone && Math.max(...totals) >= adds.target);
    over ||= Boolean(adds.lose && !adds.lowest && Math.min(...totals) <= adds.lose);
  }
  const added = Boolean(adds) && counted.length > 0 && totals.every(Number.isFinite);
  cells.forEach((cell, side) => {
    cell.dataset.shown ??= cell.textContent;
    const sum = Math.abs(totals[side]).toLocaleString(document.documentElement.lang, { useGrouping: "always" });
    cell.textContent = added ? `${totals[side] < 0 ? "−" : ""}${sum}` : cell.dataset.shown;
  });
  return { added, over: (added && over) || nextNumber(deals) > last };
};

const paragraph = (text) => Object.assign(document.createElement("p"), { textContent: text });

const reasons = (why) => { // the server's sentences, or those of a page that isn't a card (an expired link)
  if (Array.isArray(why)) return why;
  const page = new DOMParser().parseFromString(why, "text/html");
  const alerts = page.querySelectorAll("main [role=alert] p");
  const spots = alerts.length ? alerts : page.querySelectorAll("main h1, main .lede");
  return [...new Set([...spots].map((spot) => spot.textContent.replace(/\s+/g, " ").trim()).filter(Boolean))];
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
  slot("why").append(...(deal.why ? reasons(deal.why) : []).map(paragraph));
  slot("log-in").hidden = deal.state !== "log-in";
  const [change, discard] = [slot("change"), slot("discard")];
  change.hidden = !form || correcting || deal.over;
  change.addEventListener("click", () => putRight(deal));
  if (deal.state === "late" && !deal.over) {
    change.textContent = word("another");
    slot("why").append(paragraph(word("same-deal")));
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
    panel.dispatchEvent(new Event("discarded")); // those after it may go now
  });
  return shown;
};

export const show = async () => {
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
  if (correcting) return;
  const { added, over } = sumUp(deals.filter((deal) => kept.GOING.includes(deal.state))); // not what waits to be put right
  const ended = Boolean(open && over);
  if (form) for (const asks of [form, form.closest("section")?.querySelector("h2"), document.querySelector(".deal-now")]) {
    if (asks) asks.hidden = ended && !bound;
  }
  if (ended) document.querySelector("dl.totals")?.after(Object.assign(made("without"), { textContent: word("end") }));
  if (open) for (const totals of document.querySelectorAll("dl.totals")) {
    const text = fill(word(added ? "with" : "without"), { number: open });
    totals.after(Object.assign(made("without"), { textContent: text }));
  }
};
