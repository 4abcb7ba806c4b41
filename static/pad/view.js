/* The number pad of a card in the hand (hand.js): for the figure in focus, or else the first that is empty. A key dimmed by
   what a figure can be may still be pressed, for the server is the judge. Beside a mouse there is no pad. */
import { form, made, shown, figures, labelOf, sideOf, fullLabelOf, can, say, put, dock, measure, slip } from "../hand.js";
import { faceOf, isNever } from "./keys.js";
import { START, aim, begin, goOn, moveTo, press, settle, step, takesBack, touch } from "./state.js";

const startPad = () => {
  const pad = made(".number-pad");
  const [rough, caption] = [pad.querySelector(".rough"), pad.querySelector(".asked")];
  const blank = rough.firstElementChild;
  const memory = (() => { try { return localStorage; } catch { return {}; } })();
  let byDigits = memory["pad-fast"] !== "1"; // until somebody asks for the many keys with which it takes fewer touches
  let state = START, face = {};
  let moving = false, written = false;

  /* ---- The card as the state sees it ------------------------------------------------------------------------------ */

  const fieldOf = (name) => (name === null ? null : form.elements[name]);
  const fold = (field) => field.closest("details");
  const otherOf = (input) => { // what is asked with it
    const other = form.elements[input?.dataset.with];
    return other && shown(other) && (input.value === "") === (other.value === "") ? other : null;
  };
  const isAfterNil = ({ dataset: { afterNil = "" } }) => afterNil.split(" ").some((bid) => form.elements[bid]?.value === "0");
  const read = (input) => input && {
    name: input.name, value: input.value, rows: input.dataset.can, can: can(input), keys: +input.dataset.keys,
    usual: Number(input.dataset.usual ?? Infinity), small: "small" in input.dataset,
    rare: "rare" in input.dataset && !isAfterNil(input), fold: fold(input),
    offered: input.matches(".is-offered"), get label() { return fullLabelOf(input); },
  };
  const faceAt = (input, focused) => faceOf(read(input), {
    other: read(otherOf(input)), focused, byDigits, hundreds: state.hundreds, from: pad.dataset.from,
    width: innerWidth, height: innerHeight,
  });
  const inFigure = () => form.contains(document.activeElement) && document.activeElement.matches("input.figure");
  const inSight = (field) => field.getBoundingClientRect().top >= 0 &&
    field.getBoundingClientRect().bottom <= dock.getBoundingClientRect().top;
  const isChecked = () => Boolean(form.elements.seen || form.querySelector("#refused"));
  const card = () => {
    const wrong = [...form.querySelectorAll("[aria-invalid=true]")].find(shown);
    return {
      figures: figures().map(read), focus: inFigure() ? document.activeElement.name : null, checked: isChecked(),
      wrong: wrong && (wrong.matches("input.figure") ? wrong.name : null), sees: (name) => inSight(fieldOf(name)),
      keysAt: (name) => {
        const { pair, rough: isRough } = faceAt(fieldOf(name), true);
        return { pair: pair?.name, rough: isRough };
      },
    };
  };
  const isFull = (now = card()) => settle({ ...START, resting: true }, now).resting;

  /* ---- The keys ------------------------------------------------------------------------------------------------------ */

  const lay = (keys) => { // a key that stays is the same one: it may be under the thumb, or in focus
    while (rough.children.length > keys.length) rough.lastElementChild.remove();
    while (rough.children.length < keys.length) rough.append(blank.cloneNode(true));
    keys.forEach(({ name, words, label, never, begun, pressed }, place) => {
      const key = rough.children[place];
      key.dataset.key = name;
      key.textContent = words;
      key.ariaLabel = label ?? null;
      key.ariaPressed = pressed ?? null;
      key.classList.toggle("is-never", Boolean(never));
      key.classList.toggle("is-begun", Boolean(begun));
    });
  };
  const showFace = (target) => {
    face = faceAt(target, target !== null && document.activeElement === target);
    const swap = pad.querySelector(".key-face");
    swap.hidden = !face.offers;
    for (const words of swap.children) words.hidden = words.matches(".by-digits") === byDigits;
    rough.hidden = !face.rough;
    pad.classList.toggle("is-rough", face.rough);
    pad.classList.toggle("is-wide", face.wide);
    for (const key of pad.querySelectorAll(".key-digit")) key.hidden = face.rough;
    caption.hidden = !face.wide;
    if (!face.rough) return;
    if (face.columns) pad.style.setProperty("--columns", face.columns);
    lay(face.keys);
    const [side, what] = caption.children;
    side.textContent = sideOf(target) ?? "";
    what.textContent = [target, fieldOf(face.pair?.name ?? null)].filter(Boolean).map(labelOf).join(" · ");
  };
  const dim = (target) => {
    const figure = read(target), typed = state.fresh ? "" : target?.value;
    const back = figure?.value || takesBack(state, card());
    for (const key of pad.querySelectorAll(".number-pad > .key")) {
      const { key: name } = key.dataset, digit = /^\d$/.test(name) ? name : null;
      const never = name === "back" ? !back : figure ? digit && isNever(figure, typed, digit) : name !== "next";
      key.classList.toggle("is-never", Boolean(never));
      if (digit && figure) key.ariaLabel = never ? pad.dataset.never.replace("%s", digit) : null;
      if (name === "minus" && figure) key.hidden = !("signed" in target.dataset);
    }
  };

  /* ---- What is in sight ---------------------------------------------------------------------------------------------- */

  const LOW = 560; // of a window in pixels: below it the keys are there only while a figure is asked,
  const SHORT = 720; // and below this only while one is aimed at: else they cover what is asked instead
  const rest = (field) => { // the phone's own keyboard takes the place of the keys; back again, they cover nothing
    const own = field.matches("textarea, input:not(.figure, [type=radio], [type=checkbox], [type=submit])");
    const low = state.target ? innerHeight < LOW : slip || innerHeight < SHORT;
    const off = own || (!field.matches("input.figure") && low);
    if (pad.hidden === off) return;
    pad.hidden = off;
    measure();
    if (!off && form.contains(field)) field.scrollIntoView({ block: "nearest" });
  };
  const show = (field) => { // above the keys; and with it the one that they say too
    if (!field || field.name !== state.target) return;
    measure();
    fieldOf(face.pair?.name ?? null)?.scrollIntoView({ block: "nearest", behavior: "instant" });
    field.scrollIntoView({ block: "nearest" });
  };
  const lookDown = () => { // after the last figure what is asked below it comes into sight, however high the bar grows
    const last = form.querySelector(".blocks").lastElementChild, before = last.previousElementSibling;
    const typed = fieldOf(state.target ?? state.last);
    if (!written || last.matches(".side-figures") || !before?.contains(typed) || !isFull()) return;
    last.scrollIntoView({ block: "nearest" });
    typed?.scrollIntoView({ block: "nearest" });
  };
  const stayBelow = () => { // a form that grew shorter, by keys or words, leaves the bar at the window's edge
    const above = innerHeight - dock.getBoundingClientRect().bottom;
    if (above > 0 && form.contains(document.activeElement)) scrollBy({ top: -above, behavior: "instant" });
  };

  /* ---- What happens -------------------------------------------------------------------------------------------------- */

  const render = () => {
    const target = fieldOf(state.target);
    form.dataset.begun = state.hundreds === null ? "" : state.target; // the draft has it too (offline/drafts.js)
    showFace(target);
    dim(target);
    for (const field of form.querySelectorAll("input.figure")) {
      field.classList.toggle("is-next", field === target);
      field.classList.toggle("is-with", field.name === face.pair?.name);
    }
    rest(document.activeElement);
  };
  const become = ({ go, put: values = [], after, ...now }) => {
    state = now;
    if (go) { // into a field, in sight above the bar, without the phone's keyboard
      moving = true;
      (go === "save" ? form.querySelector(".bar [type=submit]") : fieldOf(go)).focus({ preventScroll: true });
      moving = false;
    }
    render();
    if (go) show(fieldOf(state.target));
    for (const [name, typed] of values) put(fieldOf(name), typed); // and the figures have settled
    if (values.length) say(...values.map(([name]) => fieldOf(name)));
    if (after) become(goOn(state, after, card()));
  };

  for (const input of form.querySelectorAll("input.figure")) {
    input.inputMode = "none";
    if (input.type !== "number") continue;
    input.type = "text"; // a lone minus is no number yet
    if (!input.dataset.can || input.dataset.can.startsWith("-")) input.dataset.signed = "";
  }
  dock.prepend(pad);
  rest(document.activeElement);
  pad.addEventListener("click", (event) => {
    const key = event.target.closest("[data-key]")?.dataset.key;
    if (key === "face") {
      byDigits = !byDigits;
      memory["pad-fast"] = byDigits ? "" : "1";
    }
    if (key) become(press(state, key, card()));
  });
  addEventListener("resize", render); // a phone turned on its side has no room for many keys
  form.addEventListener("focusin", ({ target: field }) => {
    rest(field);
    if (moving || !field.matches("input.figure")) return;
    become(touch(state, field.name, card()));
    show(field);
  });
  let touched = false; // the last thing that was done; else a real key was pressed
  form.addEventListener("pointerdown", () => { touched = true; });
  form.addEventListener("keydown", () => { touched = false; });
  form.addEventListener("change", ({ target: answer }) => {
    if (!answer.matches("[type=radio]")) return;
    answer.closest("fieldset")?.querySelector(".errors")?.remove();
    const asked = touched && !fold(answer) && state.target !== null;
    if (asked && faceAt(fieldOf(state.target), true).wide) become(moveTo(state, state.target)); // what is asked next
  });
  form.addEventListener("click", ({ target: words }) => { // what a fold holds comes into sight, not behind the keys
    const opened = words.closest("summary")?.parentElement;
    if (opened && !opened.open) setTimeout(() => opened.scrollIntoView({ block: "start" }));
  });
  new ResizeObserver(() => {
    show(document.activeElement); // a problem in words takes more room than none
    lookDown();
  }).observe(dock);
  new ResizeObserver(stayBelow).observe(form);

  const changed = (now = state) => {
    become(settle(now, card()));
    lookDown();
  };
  form.addEventListener("input", (event) => {
    written = true;
    changed(event.isTrusted ? { ...state, fresh: false, jumped: false } : state);
  });
  form.addEventListener("stepped", ({ target: input }) => become(step(state, input.name, card())));
  form.addEventListener("toggle", () => changed(), true);
  const follow = (event) => { // whatever filled or emptied the form, the keys are as after typing what it has
    const half = read(form.elements[form.dataset.begun]), here = document.activeElement;
    const early = inFigure() && event?.type !== "reset" && // touched before the keys had come: they are for that one
      { target: here.name, chosen: true, fresh: here.value !== "" && here.value === here.defaultValue };
    written = false;
    become(begin(card(), { touched: early, half }));
    if (form.querySelector("#refused")) document.fonts.ready.then(() => show(fieldOf(state.target))); // never out of sight
  };
  form.addEventListener("reset", follow); // the next deal's form, in the place of the last one's
  addEventListener("pageshow", () => { if (!inFigure()) follow(); }); // a slow picture lets it come late
  form.addEventListener("restored", ({ detail: { looks } }) => { // what was typed is here again
    follow();
    if (looks) become({ ...aim(state, null), resting: true }); // it shows what is new: the keys are for nothing out of sight
    else if (state.target && document.activeElement === document.body) become(moveTo(state, state.target));
  });
  follow();
};
if (matchMedia("(pointer: coarse), (max-width: 767.98px)").matches) startPad();
