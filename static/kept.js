/* Deals kept on this phone until the server has them: shared by pages (offline/) and the service worker (sw.js), neither of
   which needs the other. The server joins it to the worker (clubsite/offline.py): one line an import, exports in place.
   Name, version and stores of the database stay, and what is in them: phones keep deals across versions of the site.

   A kept deal: { id, submission, owner, game, page, title, action, number, fields: [[name, value]],
   figures: [[label, value]], at, state, why, over }. The id gives the order of sending; a submission is kept once, whatever is typed anew for it.
     waiting  not sent, or the answer was lost: goes out by itself; the same submission twice counts once
     log-in   whoever typed it is logged out: goes out when they are back
     refused  the server doesn't take it as it is; later deals of the same card wait for it
     late     the card has a deal of that number with other figures; with `over`, its game is over
     closed   the page from which it came takes nothing any more
   `why` is what the server said: sentences, or the page with which it answered. */
import "./vendor/idb/idb.umd.js";
import { send } from "./send.js";

const AWAY = [429, 500, 502, 503, 504];
export const GOING = ["waiting", "log-in"];
const DAY = 24 * 3600 * 1000;

let connection = null;
const database = () => { // a private window may have none: whoever asks is told
  connection ??= (async () => idb.openDB("nine-tables", 1, {
    upgrade(db) {
      const deals = db.createObjectStore("deals", { keyPath: "id", autoIncrement: true });
      deals.createIndex("submission", "submission", { unique: true });
      db.createObjectStore("drafts");
    },
    terminated() { connection = null; }, // the phone took it away, as iPhones do in a pocket: it is opened anew
  }))();
  return connection;
};

/* ---- The store ------------------------------------------------------------------------------------------------- */

export const all = async () => (await database()).getAll("deals"); // in order of their ids
export const discard = async (id) => (await database()).delete("deals", id);

export const keep = async (deal) => { // in its old place, if this submission is kept already
  const change = (await database()).transaction("deals", "readwrite");
  const before = await change.store.index("submission").get(deal.submission);
  await change.store.put({ state: "waiting", why: "", ...(before && { id: before.id }), ...deal });
  await change.done;
};

export const renumber = async (page, after) => { // a deal was thrown away: number those after it anew
  const change = (await database()).transaction("deals", "readwrite");
  for (const deal of await change.store.getAll()) {
    if (deal.page !== page || deal.number <= after || !GOING.includes(deal.state)) continue;
    const fields = deal.fields.map(([name, value]) => [name, name === "number" ? String(deal.number - 1) : value]);
    await change.store.put({ ...deal, fields, number: deal.number - 1 });
  }
  await change.done;
};

const isSame = (one, other) => JSON.stringify(one?.fields) === JSON.stringify(other?.fields);
const settleSent = async (deal, change) => { // what came of it; recorded, it goes, and its draft in the same step
  const step = (await database()).transaction(["deals", "drafts"], "readwrite");
  const deals = step.objectStore("deals"), halves = step.objectStore("drafts"), half = `${deal.owner}|${deal.page}`;
  const now = await deals.get(deal.id);
  if (isSame(now, deal)) { // else it was typed anew or thrown away meanwhile
    if (change) deals.put({ ...now, ...change });
    else deals.delete(deal.id);
  }
  if (!change && isSame(await halves.get(half), deal)) halves.delete(half);
  await step.done;
};

const changeDrafts = async (work) => { // committed at once: of a page that is left meanwhile the change is undone
  const change = (await database()).transaction("drafts", "readwrite");
  const made = work(change.store);
  change.commit();
  await Promise.all([made, change.done]);
};

export const drafts = {
  get: async (key) => { // none after a day
    const draft = await (await database()).get("drafts", key);
    if (!draft || !(Date.now() - draft.at > DAY)) return draft;
    await drafts.drop(key);
    return undefined;
  },
  put: (key, draft) => changeDrafts((store) => store.put(draft, key)),
  drop: (key) => changeDrafts((store) => store.delete(key)),
  dropAll: async () => (await database()).clear("drafts"),
};

/* ---- The server ------------------------------------------------------------------------------------------------ */

export const ask = async (address, options = {}) => { // null when nobody answers, or the log-in page of the hall's Wi-Fi
  try {
    const answer = await send(address, {
      credentials: "same-origin", cache: "no-store", ...options, headers: { "X-Kept": "later", ...options.headers },
    });
    if (AWAY.includes(answer.status) || !answer.headers.has("X-Kept")) return null;
    return { status: answer.status, moved: answer.redirected, text: await answer.text() };
  } catch {
    return null;
  }
};

export const pass = async (address) => { // { token, owner }: who is logged in, and a current token
  const answer = await ask(address);
  return answer?.status === 200 ? JSON.parse(answer.text) : null;
};

const deliver = async (deal, { permit, passAt, when }) => {
  const post = () => {
    const body = new URLSearchParams(deal.fields);
    body.set("csrfmiddlewaretoken", permit.token);
    return ask(deal.action, { method: "POST", body, headers: { "X-Kept": when } });
  };
  const another = () => deal.owner && "owner" in permit && permit.owner !== deal.owner;
  if (another()) return { state: "log-in" };
  let answer = await post();
  if (answer?.status === 403 && !("owner" in permit)) { // the token is from before a log-in
    const fresh = await pass(passAt);
    if (!fresh) return { state: "away" };
    Object.assign(permit, fresh);
    if (another()) return { state: "log-in" };
    answer = await post();
  }
  if (!answer) return { state: "away" };
  try {
    return JSON.parse(answer.text); // { state: "recorded" or "log-in", to, said }, or { state, why } of a refusal
  } catch { // a page, such as that of an expired link
    return { state: [200, 400].includes(answer.status) ? "refused" : "closed", why: answer.text };
  }
};

/* ---- Sending: one at a time, in order, whoever asks ------------------------------------------------------------ */

let turn = Promise.resolve();
export const alone = (name, work) => {
  if (navigator.locks) return navigator.locks.request(name, work);
  turn = turn.then(work, work); // on plain HTTP only within this page; sent twice counts once
  return turn;
};

/* Send what waits. `now` = { submission, token }: a deal that somebody waits for, and the token of its page.
   Gives { away, stopped: whether one wasn't recorded, token, sent: [deal], said: [sentence], own: what came of the deal
   that somebody waits for }. */
export const sendWaiting = ({ passAt, now = null }) => alone("kept-deals", async () => {
  const done = { away: false, stopped: false, token: undefined, sent: [], said: [], own: null };
  const deals = await all();
  const going = deals.filter((deal) => GOING.includes(deal.state));
  if (!going.length) return done;
  const only = now && going.length === 1 && going[0].submission === now.submission;
  const permit = only ? { token: now.token } : await pass(passAt);
  const blocked = new Set();
  for (const { id } of deals) {
    if (!permit || done.away) break;
    const deal = await (await database()).get("deals", id); // as it is by now
    if (!deal) continue;
    if (["refused", "closed"].includes(deal.state)) blocked.add(deal.page);
    if (!GOING.includes(deal.state) || blocked.has(deal.page)) continue;
    const own = now?.submission === deal.submission;
    const answer = await deliver(deal, { permit, passAt, when: own ? "now" : "later" });
    if (own) done.own = answer;
    if (answer.state === "away") done.away = true;
    else if (answer.state === "recorded" || answer.state === "same") {
      await settleSent(deal);
      done.sent.push({ ...deal, state: answer.state });
      done.said.push(...(answer.said ?? []));
    } else {
      await settleSent(deal, { state: answer.state, why: answer.why ?? "", over: answer.over ?? false });
      done.stopped = true;
      if (answer.state !== "late") blocked.add(deal.page);
    }
  }
  done.away ||= !permit;
  done.token = permit?.token;
  return done;
});
