/* Photos of cards. Sending: each file by itself, as soon as it is chosen. Looking at what was read: Enter in a doubtful
   box, or the button beside the pictures of its deal, says that it is right. When none is left, a touch saves the whole
   card, line by line as it stands in the boxes (grid.js sends them). Without this file there is a Send button, and each
   line has Save. */
const form = document.getElementById("send-photos");
const input = document.getElementById("photos-input");

const show = (html) => {
  const part = document.getElementById("photos");
  part.outerHTML = html;
  self.htmx.process(document.getElementById("photos"));
};
const sendAll = async () => {
  const files = [...input.files];
  const token = form.elements.csrfmiddlewaretoken.value;
  form.setAttribute("aria-busy", "true");
  for (const file of files) {
    const body = new FormData();
    body.append("csrfmiddlewaretoken", token);
    body.append("photos", file);
    try {
      const answer = await fetch(location.pathname, { method: "POST", body, headers: { "HX-Request": "true" } });
      if (!answer.ok || answer.redirected) throw new Error(answer.status);
      show(await answer.text());
    } catch {
      const words = document.createElement("p");
      words.className = "refused";
      words.role = "alert";
      words.textContent = `${file.name}: ${form.dataset.failed}`;
      form.after(words);
    }
  }
  form.removeAttribute("aria-busy");
  form.reset();
};
if (form) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    sendAll();
  });
  input.addEventListener("change", sendAll);
}

/* The cards */

const phone = matchMedia("(hover: none)").matches;
const doubtful = (block) => [...block.querySelectorAll("td.marked-doubt input")].filter((box) => !box.readOnly);
const saveOf = (block) => block.querySelector("[data-save-card]");

const offer = (block) => {
  saveOf(block).hidden = doubtful(block).length > 0 || !block.querySelector("tbody[data-read]");
  const list = block.querySelector(".doubts");
  if (list) list.hidden = !list.querySelector("li:not([hidden])");
};
const onwards = (block) => { // to the next doubtful box, else to the button that saves the card
  const next = doubtful(block)[0] || saveOf(block);
  if (next.hidden) return;
  next.scrollIntoView({ block: "nearest" });
  if (phone && next.select) return; // its keypad would cover the picture
  next.focus();
  if (next.select) next.select();
};
const settle = (box) => { // somebody has looked at it
  const block = box.closest("[data-game]");
  box.closest("td").classList.remove("marked-doubt");
  box.removeAttribute("aria-describedby");
  const entry = block.querySelector(`[data-doubt="${box.id}"]`);
  if (entry) {
    entry.hidden = true;
    entry.parentElement.hidden = !entry.parentElement.querySelector("[data-doubt]:not([hidden])");
  }
  offer(block);
  return block;
};

const begin = (block) => {
  for (const button of block.querySelectorAll(".doubts button")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      for (const entry of button.parentElement.querySelectorAll("[data-doubt]:not([hidden])")) {
        settle(document.getElementById(entry.dataset.doubt));
      }
      onwards(block);
    });
  }
  saveOf(block).addEventListener("click", () => {
    for (const line of block.querySelectorAll("tbody[data-read][data-open] form")) line.requestSubmit();
    const next = blocks[blocks.indexOf(block) + 1];
    if (next) onwards(next);
  });
  offer(block);
  new MutationObserver(() => offer(block)).observe(block.querySelector("table"), { childList: true });
};
const blocks = [...document.querySelectorAll("[data-game]:has([data-save-card])")];
blocks.forEach(begin);

document.addEventListener("keydown", (event) => { // before grid.js, which would go to the next box
  const box = event.target.closest("td.marked-doubt input");
  if (event.key !== "Enter" || event.isComposing || !box) return;
  event.preventDefault();
  event.stopPropagation();
  onwards(settle(box));
}, true);
document.addEventListener("change", (event) => {
  if (event.target.closest("td.marked-doubt")) settle(event.target);
});
if (blocks.length && !phone) onwards(blocks[0]);
