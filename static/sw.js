/* The service worker: opens kept card pages without network, and sends kept deals when the page is gone.

   /sw.js (clubsite/offline.py) is `site` = { files, offline, pass, forgetAt, renewAt }, idb, send.js, kept.js and this in one
   script, for not every browser takes a module for its worker.
   Pages come from the network if it answers in time, else from what is kept; files named by their content come from what
   is kept. Only cards that somebody opened are kept, no answer to a POST ever, and nothing after a log-out. */
import { alone, drafts, sendWaiting } from "./kept.js";

const PAGES = "pages-1", FILES = "files-1", OWN = "own-1"; // changing a number drops that cache
const MOST_PAGES = 8;
const SLOW = 4000; // milliseconds before a kept page is shown in place of an answer
const DOWN = [502, 503, 504]; // statuses of a proxy whose server is away
const ANY = { ignoreVary: true };
let forgotten = 0; // count of forgettings: a page fetched before one isn't kept after it

/* ---- Keeping --------------------------------------------------------------------------------------------------- */

const filesOf = (html) => [...html.matchAll(/(?:href|src)="([^"#]+)/g)].map((found) => found[1])
  .filter((address) => address.startsWith(site.files));

const keepFiles = async (html) => {
  const cache = await caches.open(FILES);
  await Promise.all([...new Set(filesOf(html))].map(async (address) => {
    if (await cache.match(address, ANY)) return;
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(address); // a page is kept with all its files or not at all
    await cache.put(address, answer);
  }));
};

const dropUnused = () => alone("kept-pages", async () => { // files that no kept page needs, as of older versions of the site
  const used = new Set();
  for (const name of [PAGES, OWN]) {
    const cache = await caches.open(name);
    for (const key of await cache.keys()) {
      for (const address of filesOf(await (await cache.match(key, ANY)).text())) used.add(address);
    }
  }
  const files = await caches.open(FILES);
  for (const key of await files.keys()) if (!used.has(new URL(key.url).pathname)) await files.delete(key);
});

// In turn with dropUnused, also that of a newer worker, which would take the files of a page that is just being kept
const put = (address, answer, since) => alone("kept-pages", async () => {
  const html = await answer.clone().text();
  await keepFiles(html);
  const pages = await caches.open(PAGES); // first: what is put in it after a forgetting is gone with it
  if (since !== forgotten) return;
  await pages.delete(address, ANY);
  await pages.put(address, answer); // put last, as the newest
  const keys = await pages.keys();
  for (const key of keys.slice(0, -MOST_PAGES)) await pages.delete(key);
});

const keepPage = async (address) => { // a card was opened before this worker was in control
  const since = forgotten;
  if (await (await caches.open(PAGES)).match(address, ANY)) return;
  const answer = await fetch(address, { credentials: "same-origin", headers: { "X-Keeping": "page" } });
  if (!answer.ok || answer.redirected) return;
  await put(address, answer, since);
  await dropUnused();
};

const forgetPages = async () => { // another language, or another person: kept deals and drafts stay
  forgotten += 1;
  await caches.delete(PAGES);
};

const forget = async () => {
  await forgetPages();
  await drafts.dropAll();
};

/* ---- Answering ------------------------------------------------------------------------------------------------- */

const heldPage = async (address) => {
  const pages = await caches.open(PAGES);
  return await pages.match(address, ANY) ?? pages.match(address, { ...ANY, ignoreSearch: true });
};

const shown = async (page) => { // a kept page, marked with the time it is from
  const headers = new Headers(page.headers);
  headers.delete("Content-Encoding");
  headers.delete("Content-Length");
  const html = (await page.clone().text()).replace("<html ", `<html data-kept-at="${headers.get("Date") ?? ""}" `);
  return new Response(html, { headers });
};

const noNetwork = async () => await (await caches.open(OWN)).match(site.offline, ANY) ?? Response.error();

const opened = async (event) => {
  const since = forgotten;
  const { url } = event.request;
  const asked = (async () => await event.preloadResponse ?? fetch(event.request))();
  const held = await heldPage(url);
  if (!held) return asked.catch(noNetwork);
  const answered = asked.then(async (answer) => {
    if (answer.ok && !answer.redirected) event.waitUntil(put(url, answer.clone(), since));
    else if (!DOWN.includes(answer.status)) { // the page is gone, or they are logged out
      await (await caches.open(PAGES)).delete(url, { ...ANY, ignoreSearch: true });
    }
    return DOWN.includes(answer.status) ? shown(held) : answer;
  }, () => shown(held));
  event.waitUntil(answered);
  const late = new Promise((resolve) => { setTimeout(resolve, SLOW); });
  return Promise.race([answered, late.then(() => shown(held))]);
};

const sent = async (event) => { // a form posted without script; the page has kept what was typed as a draft
  const held = await heldPage(event.request.url);
  try {
    const answer = await fetch(event.request);
    return held && DOWN.includes(answer.status) ? await shown(held) : answer;
  } catch {
    return held ? shown(held) : noNetwork();
  }
};

const file = async (request) => {
  const cache = await caches.open(FILES);
  const held = await cache.match(request.url, ANY);
  if (held && /\.[0-9a-f]{12}\.\w+$/.test(new URL(request.url).pathname)) return held;
  try {
    const answer = await fetch(request);
    if (held && answer.ok) await cache.put(request.url, answer.clone());
    return answer;
  } catch (away) {
    if (held) return held;
    throw away;
  }
};

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.mode === "navigate" && pathname.startsWith("/T/")) { // a printed code, in capitals
    event.respondWith(Response.redirect(request.url.replace("/T/", "/t/")));
  } else if (request.mode === "navigate" && request.method === "GET") event.respondWith(opened(event));
  else if (request.mode === "navigate" && request.method === "POST") {
    if (request.cache === "only-if-cached") return; // gone back to: the browser asks whether to send it again
    if (site.forgetAt.includes(pathname)) event.waitUntil(forget());
    if (site.renewAt.includes(pathname)) event.waitUntil(forgetPages());
    event.respondWith(sent(event));
  } else if (request.method === "GET" && pathname.startsWith(site.files)) event.respondWith(file(request));
});

/* ---- Its own life ---------------------------------------------------------------------------------------------- */

addEventListener("install", (event) => event.waitUntil((async () => {
  const page = await fetch(site.offline, { credentials: "omit", cache: "no-store" }); // anybody may see it
  if (!page.ok) throw new Error(site.offline); // what a server that is away says isn't that page; the browser tries again
  await alone("kept-pages", async () => {
    await keepFiles(await page.clone().text());
    await (await caches.open(OWN)).put(site.offline, page);
  });
  await skipWaiting();
})()));

addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (![PAGES, FILES, OWN].includes(name)) await caches.delete(name);
  await registration.navigationPreload?.enable();
  await clients.claim();
  await dropUnused();
})()));

addEventListener("message", (event) => {
  if (event.data?.keep) event.waitUntil(keepPage(event.data.keep).catch(() => { /* next time */ }));
  if (event.data?.forget) event.waitUntil(forget());
});

addEventListener("sync", (event) => { // Background Sync, where the browser has it; the page may be closed
  if (event.tag === "kept-deals") {
    event.waitUntil(sendWaiting({ passAt: site.pass }).then(async ({ away, stopped, sent: gone, said }) => {
      for (const page of await clients.matchAll()) page.postMessage({ kept: { away, stopped, sent: gone, said } });
      if (away) throw new Error("still away"); // the browser tries again later
    }));
  }
});
