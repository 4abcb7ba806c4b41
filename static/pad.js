/* The number pad of a card in the hand (hand.js): for the figure in focus, or else the first that is empty. A key dimmed by
   what a figure can be may still be pressed, for the server is the judge. Beside a mouse there is no pad. */
import { form, made, shown, figures, labelOf, sideOf, fullLabelOf, can, say, put, dock, measure, slip } from "./hand.js";

const begin = () => {
  const pad = made(".number-pad");
  const [rough, caption] = [pad.querySelector(".rough"), pad.querySelector(".asked")];
  const blank = rough.firstElementChild;
  const keep = (() => { try { return localStorage; } catch { return {}; } })();
  let target = null, paired = null, fresh = false, chosen = false, moving = false, written = false;
  let typedLast = null; // the figure to which the last key went
  let jumped = false; // the keys have moved on by themselves: Next, pressed out of habit, means the same move
  let resting = false; // every figure is there: the keys change nothing unasked, but the last one can be taken back
  let hundreds = null, byDigits = keep["pad-digits"] === "1"; // the hundreds touched so far; who would rather type figures
  /* Points in steps of five: their hundreds are one key, and what they end with another. 0: no such figure */
  const stepOf = (input) => {
    const [, last, step] = /^0-(\d+)\/(\d+)$/.exec(input?.dataset.can ?? "") ?? [];
    return +last >= 500 && +step >= 5 && 100 % +step === 0 ? +step : 0;
  };
  /* Two counts in one touch: all that the first can be with all that the second can be */
  const pairOf = (input) => {
    const other = form.elements[input?.dataset.with];
    return other && shown(other) && (input.value === "") === (other.value === "") ? other : null;
  };
  const WIDE = 46; // of a key and the gap after it, in pixels
  const columns = () => Math.min(10, Math.floor(innerWidth / WIDE)); // a tablet's keys are wider, not more
  const HIGH = 46, REST = 384; // of a key; of what must stay in sight beside them: two fields, the bar and the pad's own
  const NARROW = 340; // pixels: below them the keys of hundreds find no room beside each other
  const LEAST = 4; // columns: the other face, back, and Next in two
  const rows = () => Math.min(10, Math.max(6, Math.floor((innerHeight - REST) / HIGH)));
  // For many keys at once there is room while a field has the focus: it is in sight above them
  const wideEnough = () => columns() >= 6 && innerHeight >= 600;
  const roomy = () => wideEnough() && target !== null && document.activeElement === target;
  const row = (length) => Array.from({ length }, (_, place) => place);
  const begins = (figure) => ({ // it says how a figure begins
    name: `~${figure}`, words: figure, label: pad.dataset.from.replace("%s", figure),
    never: !row(100).some((more) => can(target).is(String(figure + more))), begun: true, pressed: hundreds === figure,
  });
  const ends = (figure) => ({ name: `=${figure}`, words: figure, never: !can(target).is(String(figure)) });
  const byHundreds = (step, wide) => {
    if (!wide && hundreds === null) return row(20).map((place) => begins(100 * place));
    const many = wide ? Math.max(200, 100 * Math.floor(columns() * rows() * step / 100)) : 100; // points with own keys
    const under = row(many / step).map((place) => ends((hundreds ?? 0) + step * place));
    if (wide) pad.style.setProperty("--columns", columns());
    const more = row(columns() - LEAST).map((place) => many * (place + 1)).filter((figure) => figure < 1000);
    return wide ? [...under, ...more.map(begins)] : under;
  };
  // One goes across and one down, whichever way more of them have a key; what the longer can be beyond stands below
  const together = (other) => {
    const fields = [target, other], many = fields.map((field) => +field.dataset.keys);
    const long = many[0] >= many[1] ? 0 : 1;
    const room = (flat) => [Math.min(many[flat], columns()), Math.min(many[1 - flat], rows())];
    const [lying, standing] = [room(long), room(1 - long)];
    const stands = standing[0] >= LEAST && standing[0] * standing[1] > lying[0] * lying[1];
    const [[across, down], flat] = stands ? [standing, 1 - long] : [lying, long];
    const one = (figures) => ({
      name: figures.join("&"), words: figures.join("\u2009·\u2009"),
      label: fields.map((field, place) => `${fullLabelOf(field)}: ${figures[place]}`).join("; "),
      never: fields.some((field, place) => !can(field).is(String(figures[place]))),
      pressed: fields.every((field, place) => field.value === String(figures[place])),
    });
    const ordered = (first, second) => (flat ? [second, first] : [first, second]);
    const whole = row(down).flatMap((below) => row(across).map((beside) => one(ordered(beside, below))));
    pad.style.setProperty("--columns", across);
    const beyond = row(across - LEAST).map((place) => (stands ? down : across) + place)
      .filter((figure) => can(fields[long]).is(String(figure)));
    const alone = (figure, other) => (stands ? ordered(other, figure) : ordered(figure, other));
    return [...whole, ...beyond.map((figure) => ({ // its place says which of the two it is
      name: alone(figure, "").join("&"), words: alone(figure, "…").join(figure > 9 ? "·" : "\u2009·\u2009"),
      label: `${fullLabelOf(fields[long])}: ${figure}`,
    }))];
  };
  const lay = (keys) => { // a key that stays is the same one: it may be under the thumb, or in focus
    while (rough.children.length > keys.length) rough.lastElementChild.remove();
    while (rough.children.length < keys.length) rough.append(blank.cloneNode(true));
    keys.forEach(({ name, words, label, never, begun, pressed }, place) => {
      const made = rough.children[place];
      made.dataset.key = name;
      made.textContent = words;
      made.ariaLabel = label ?? null;
      made.ariaPressed = pressed ?? null;
      made.classList.toggle("is-never", Boolean(never));
      made.classList.toggle("is-begun", Boolean(begun));
    });
  };
  const face = () => {
    const [points, other] = [stepOf(target), roomy() ? pairOf(target) : null];
    const wide = roomy() && Boolean(other || (points && "small" in target.dataset));
    const step = wide || innerWidth >= NARROW ? points : 0;
    const swap = pad.querySelector(".key-face");
    swap.hidden = !step && !other;
    for (const words of swap.children) words.hidden = words.matches(".by-digits") === byDigits;
    swap.querySelector(".by-hundreds").textContent = other ? "1\u2009·\u20092" : "100…";
    rough.hidden = swap.hidden || byDigits;
    pad.classList.toggle("is-rough", !rough.hidden);
    pad.classList.toggle("is-wide", wide && !rough.hidden);
    for (const digit of pad.querySelectorAll(".key-digit")) digit.hidden = !rough.hidden;
    paired = rough.hidden ? null : other;
    caption.hidden = !wide || rough.hidden;
    if (rough.hidden) return;
    lay(other ? together(other) : byHundreds(step, wide));
    const [side, what] = caption.children;
    side.textContent = sideOf(target) ?? "";
    what.textContent = [target, paired].filter(Boolean).map(labelOf).join(" · ");
  };
  const begin = (figure) => { // the draft has it too (offline.js): of which figure only the hundreds are there
    hundreds = figure;
    form.dataset.begun = figure === null ? "" : target.name;
  };
  const aim = (input) => {
    if (input !== target) begin(null);
    target = input;
    if (target) resting = false;
    dim();
    for (const field of form.querySelectorAll("input.figure")) {
      field.classList.toggle("is-next", field === target);
      field.classList.toggle("is-with", field === paired);
    }
    rest(document.activeElement);
  };
  const dim = () => {
    face();
    if (!target) {
      for (const key of pad.querySelectorAll(".number-pad > .key:not(.key-next)")) {
        key.classList.toggle("is-never", key.dataset.key !== "back" || !takesBack());
      }
      return;
    }
    const typed = fresh ? "" : target.value;
    const { is, longer } = can(target);
    for (const key of pad.querySelectorAll(".number-pad > .key")) {
      const digit = /^\d$/.test(key.dataset.key) ? key.dataset.key : null;
      const never = digit ? !is(typed + digit) && longer(typed + digit) === Infinity
        : key.dataset.key === "back" && target.value === "" && !takesBack();
      key.classList.toggle("is-never", never);
      if (digit) key.ariaLabel = never ? pad.dataset.never.replace("%s", digit) : null;
      if (key.dataset.key === "minus") key.hidden = !("signed" in target.dataset);
    }
  };
  const show = (field) => { // above the keys; and with it the one that they say too
    if (field !== target) return;
    measure();
    paired?.scrollIntoView({ block: "nearest", behavior: "instant" });
    field?.scrollIntoView({ block: "nearest" });
  };
  const LOW = 560; // of a window in pixels: below it the keys stand there only while a figure is asked,
  const SHORT = 720; // and below this only while one is aimed at: else they cover what is asked instead
  const rest = (field) => { // the phone's own keyboard takes the place of the keys; back again, they cover nothing
    const own = field.matches("textarea, input:not(.figure, [type=radio], [type=checkbox], [type=submit])");
    const off = own || (!field.matches("input.figure") && (target ? innerHeight < LOW : slip || innerHeight < SHORT));
    if (pad.hidden === off) return;
    pad.hidden = off;
    measure();
    if (!off && form.contains(field)) field.scrollIntoView({ block: "nearest" });
  };
  const go = (field) => { // into a field, in sight above the bar, without the phone's keyboard
    moving = true;
    field.focus({ preventScroll: true });
    show(field);
    moving = false;
  };
  const fold = (input) => input?.closest("details") ?? null;
  const rare = (input) => "rare" in input.dataset;
  const empty = (input) => input.value === "" && !rare(input) && fold(input) === fold(target);
  const waiting = () => { // in a deal that was refused what is wrong first, in a correction only what is touched
    target = null;
    const first = [...form.querySelectorAll("[aria-invalid=true]")].find(shown);
    fresh = Boolean(first);
    if (first) return first.matches("input.figure") ? first : null; // the page asks another question before a figure
    return form.elements.seen || form.querySelector("#refused") ? null : figures().find(empty) ?? null;
  };
  const inSight = (field) => field.getBoundingClientRect().top >= 0 &&
    field.getBoundingClientRect().bottom <= dock.getBoundingClientRect().top;
  const isAimed = () => // at a figure that stands only if it is wrong, was touched, or was typed last and is in sight
    target && shown(target) && (target.value === "" || fresh || document.activeElement === target ||
      (target === typedLast && inSight(target)));
  const onwards = () => { // to a figure that is asked; when all are there, to Save, which is in sight
    const all = figures();
    const after = all.slice(all.indexOf(target) + 1).find(empty) ?? all.find(empty);
    if (after) {
      jumped = after !== target;
      chosen = false;
      fresh = false;
      go(after);
    } else {
      resting = true;
      form.querySelector(".bar [type=submit]").focus({ preventScroll: true });
      aim(null); // so many keys would cover what was typed
    }
  };
  const next = () => { // who looks through a full card goes from figure to figure, each to be typed anew
    const moved = jumped && target?.value === "";
    jumped = false;
    if (moved) return;
    const all = figures(), from = target ?? typedLast;
    const after = all.slice(all.indexOf(from) + 1).find((field) => !rare(field) && fold(field) === fold(from));
    if ((target && !chosen) || !after || all.some(empty)) {
      onwards();
      jumped = false;
      return;
    }
    go(after);
    chosen = fresh = true;
    dim();
  };
  const lookDown = () => { // after the last figure what is asked below it comes into sight, however high the bar grows
    const last = form.querySelector(".blocks").lastElementChild, before = last.previousElementSibling;
    const typed = target ?? typedLast;
    if (!written || last.matches(".side-figures") || !before?.contains(typed) || figures().some(empty)) return;
    last.scrollIntoView({ block: "nearest" });
    typed?.scrollIntoView({ block: "nearest" });
  };
  const stayBelow = () => { // a form that grew shorter, by keys or words, leaves the bar at the window's edge
    const above = innerHeight - dock.getBoundingClientRect().bottom;
    if (above > 0 && form.contains(document.activeElement)) scrollBy({ top: -above, behavior: "instant" });
  };
  const takesBack = () => // what Back takes back where it finds nothing: the figure before, that was typed last
    (resting || target?.value === "") && typedLast?.value && shown(typedLast);
  const press = (key) => {
    if (key === "back" && takesBack()) go(typedLast);
    else if (!resting && !isAimed()) aim(waiting());
    if (key === "next") return next();
    if (!target) return;
    jumped = false;
    if (key === "face") {
      byDigits = !byDigits;
      begin(null);
      keep["pad-digits"] = byDigits ? "1" : "";
      return dim();
    }
    const [input, before] = [target, fresh ? "" : target.value];
    typedLast = input;
    if (document.activeElement !== input) go(input);
    fresh = false;
    if (paired && (key === "back" || key.includes("&"))) {
      const [fields, said] = [[input, paired], key === "back" ? ["", ""] : key.split("&")];
      fields.forEach((field, place) => { if (key === "back" || said[place]) put(field, said[place]); });
      say(...fields);
      if (key === "back") return;
      const open = fields.find(empty);
      if (open) go(open);
      else {
        aim(fields[1]);
        onwards();
      }
      return;
    }
    if (/^[~=]/.test(key) || (key === "back" && !rough.hidden)) {
      begin(key.startsWith("~") ? +key.slice(1) : null);
      put(input, key === "back" ? "" : key.slice(1));
      say(input);
      if (key.startsWith("=")) onwards();
      return;
    }
    if (key === "back") put(input, before.slice(0, -1));
    else if (key === "minus") put(input, before.startsWith("-") ? before.slice(1) : `-${before}`);
    else put(input, before === "0" ? key : before + key);
    const { is, longer } = can(input);
    const most = chosen ? Infinity : Number(input.dataset.usual ?? Infinity);
    const more = longer(input.value);
    say(input);
    if (/\d/.test(key) && is(input.value) && (more === Infinity || more > most)) onwards();
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
    if (key) press(key);
  });
  addEventListener("resize", () => { // a phone turned on its side has no room for many keys
    rest(document.activeElement);
    aim(target);
  });
  form.addEventListener("focusin", ({ target: field }) => {
    rest(field);
    if (!field.matches("input.figure")) return;
    chosen = !moving;
    jumped &&= moving;
    fresh = chosen && field.value !== "";
    aim(field);
    if (!moving) show(field);
  });
  let touched = false; // the last thing that was done; else a real key was pressed
  form.addEventListener("pointerdown", () => { touched = true; });
  form.addEventListener("keydown", () => { touched = false; });
  form.addEventListener("change", ({ target: answer }) => {
    if (!answer.matches("[type=radio]")) return;
    answer.closest("fieldset")?.querySelector(".errorlist")?.remove();
    if (touched && !fold(answer) && !byDigits && wideEnough() && pairOf(target)) go(target); // what is asked next
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

  const settle = () => {
    resting &&= !figures().some(empty);
    if (!resting) aim(isAimed() ? target : waiting());
    lookDown();
  };
  form.addEventListener("input", (event) => {
    written = true;
    if (event.isTrusted) fresh = jumped = false;
    settle();
  });
  form.addEventListener("stepped", ({ target: input }) => { // the keys say it anew, unless an empty one waits for them
    jumped = false;
    if (target !== input && target?.value === "" && empty(target)) return;
    aim(input);
    fresh = true;
    dim();
  });
  form.addEventListener("toggle", settle, true);
  const inFigure = () => form.contains(document.activeElement) && document.activeElement.matches("input.figure");
  const follow = (event) => { // whatever filled or emptied the form, the keys stand as after typing what it has
    const half = form.elements[form.dataset.begun];
    target = typedLast = null;
    begin(null);
    fresh = chosen = jumped = written = resting = false;
    if (inFigure() && event?.type !== "reset") { // touched before the keys had come: they are for that one
      target = document.activeElement;
      chosen = true;
      fresh = target.value !== "" && target.value === target.defaultValue;
    }
    settle();
    if (target && form.querySelector("#refused")) document.fonts.ready.then(() => show(target)); // never out of sight
    if (form.elements.seen || form.querySelector("#refused")) return;
    const all = figures(), typed = target ? all.slice(0, all.indexOf(target)) : all;
    typedLast = typed.findLast((input) => input.value && !rare(input) && !input.matches(".is-offered"));
    resting = !target;
    if (half?.value) {
      aim(typedLast = half);
      begin(+half.value);
    }
    dim();
  };
  form.addEventListener("reset", follow); // the next deal's form, in the place of the last one's
  addEventListener("pageshow", () => { if (!inFigure()) follow(); }); // a slow picture lets it come late
  form.addEventListener("restored", ({ detail: { looks } }) => { // what was typed is here again
    follow();
    if (looks) { // the page shows what is new: the keys are for nothing that may be out of sight
      resting = true;
      aim(null);
    } else if (target && document.activeElement === document.body) go(target);
  });
  follow();
};
if (matchMedia("(pointer: coarse), (max-width: 600px)").matches) begin();
