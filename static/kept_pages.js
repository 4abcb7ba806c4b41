/* Without network: the cards that this phone keeps (sw.js), the one opened last on top. Without script the list isn't there. */
(async () => {
  "use strict";
  const box = document.querySelector("[data-kept-pages]");
  if (!box || !self.caches) return;
  const pages = await caches.open("pages-1"); // PAGES of sw.js
  for (const key of (await pages.keys()).reverse()) {
    const html = await (await pages.match(key, { ignoreVary: true })).text();
    const { title } = new DOMParser().parseFromString(html, "text/html");
    const item = document.createElement("li");
    item.append(Object.assign(document.createElement("a"), { href: key.url, textContent: title }));
    box.querySelector("ul").append(item);
    box.hidden = false;
  }
})();
