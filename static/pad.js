/* The hand on the card: a number pad, plus and minus, melds tapped as pictures. It knows no rule of any game: what a
   figure can be comes from the server with its field (scoring.form_parts.Hints), and a key dimmed by it may still be
   pressed, for the server is the judge. Without this file the form is plain inputs. */
(() => {
  "use strict";
  const form = document.querySelector("form.deal-form");
  const parts = form?.querySelector("template[data-hand]")?.content;
  if (!parts) return;
  const thumbs = matchMedia("(pointer: coarse), (max-width: 600px)").matches;
  const made = (what) => parts.querySelector(what).cloneNode(true);
  const shown = (input) => input.offsetParent && !input.closest("details:not([open])");
  const figures = () => [...form.querySelectorAll("input.figure")].filter(shown);
  const labelOf = (input) => input.labels[0]?.textContent.trim() || input.ariaLabel;
  const sideOf = (input) => input.closest("fieldset")?.querySelector("legend")?.textContent.trim();
  const fullLabelOf = (input) => [labelOf(input), sideOf(input)].filter(Boolean).join(", ");

  /* What a figure can be: `is` a whole one, and the smallest `longer` one that goes on from what is typed */
  const known = new Map();
  const can = (input) => {
    const rows = input.dataset.can || "";
    if (!known.has(rows)) {
      const whole = new Set(), next = new Map();
      for (const row of rows.split(" ").filter(Boolean)) {
        const [, first, last, step] = /^(-?\d+)(?:-(-?\d+))?(?:\/(\d+))?$/.exec(row);
        for (let figure = +first; figure <= +(last ?? first); figure += +(step ?? 1)) {
          const typed = String(figure);
          whole.add(typed);
          for (let end = 0; end < typed.length; end += 1) {
            const begun = typed.slice(0, end);
            next.set(begun, Math.min(Math.abs(figure), next.get(begun) ?? Infinity));
          }
        }
      }
      known.set(rows, { is: (typed) => !rows || whole.has(typed),
        longer: (typed) => (rows ? next.get(typed) ?? Infinity : typed === "0" ? Infinity : 10 * Math.abs(typed)) });
    }
    return known.get(rows);
  };

  /* Points in steps of five: their hundreds are one key, and what they end with another. 0: no such figure */
  const stepOf = (input) => {
    const [, last, step] = /^0-(\d+)\/(\d+)$/.exec(input?.dataset.can ?? "") ?? [];
    return +last >= 500 && +step >= 5 && 100 % +step === 0 ? +step : 0;
  };

  const aloud = form.appendChild(made("[aria-live]"));
  const say = (...inputs) => {
    aloud.textContent = inputs.map((input) => `${fullLabelOf(input)}: ${input.value || 0}`).join("; ");
  };
  const put = (input, typed) => {
    input.value = typed;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  };

  /* What all sides have together: the last side's figure is offered, unless something says that parts are missing */
  const note = new Map();
  const offer = (input, typed) => {
    if (typed === "" ? !note.has(input) : typed === input.value) return;
    input.value = typed;
    input.classList.toggle("is-offered", typed !== "");
    note.get(input)?.remove();
    note.delete(input);
    if (typed === "") return;
    const words = made(".offered");
    words.textContent = input.dataset.noneWords ?? words.textContent.replace("%s", input.dataset.whole);
    words.id = `${input.id}_offered`;
    (input.closest(".stepper") ?? input).after(words);
    input.setAttribute("aria-description", words.textContent);
    note.set(input, words);
  };
  const own = (input) => { // the figure that was offered is typed, or left, as one's own
    note.get(input)?.remove();
    note.delete(input);
    input.classList.remove("is-offered");
    input.removeAttribute("aria-description");
  };
  const none = (edited) => { // nought where another answer says so: the side that went out has no red three in the hand
    for (const input of form.querySelectorAll("[data-none-by]")) {
      const [name, value] = input.dataset.noneBy.split("=");
      const said = form.querySelector(`[name="${name}"]:checked`)?.value === value;
      if (input !== edited && (input.value === "" || note.has(input))) offer(input, said ? "0" : "");
    }
  };
  const share = (edited) => {
    const groups = new Map();
    for (const input of form.querySelectorAll("[data-whole]")) {
      const name = input.name.replace(/_\d+$/, "");
      groups.set(name, [...(groups.get(name) ?? []), input]);
    }
    const parted = [...form.querySelectorAll("[data-parts]")].some((field) => field.checked || field.selectedIndex > 0);
    for (const group of groups.values()) {
      const open = group.filter((input) => input.value === "" || note.has(input));
      const rest = group.filter((input) => !open.includes(input)).reduce((left, input) => left - input.value,
        +group[0].dataset.whole);
      const fits = !parted && open.length === 1 && group.length > 1 && can(open[0]).is(String(rest));
      for (const input of open) if (input !== edited) offer(input, fits ? String(rest) : "");
    }
  };

  /* Plus and minus; on a picture the whole of it is the plus */
  const step = (input, by) => {
    const many = Math.max(0, (parseInt(input.value, 10) || 0) + by);
    put(input, many ? String(many) : "");
    say(input);
    jumped = false;
    stepped(input);
  };
  for (const input of form.querySelectorAll("input[data-steps]")) {
    const [less, more] = [made(".step-less"), made(".step-more")];
    const picture = input.closest(".picture");
    for (const [button, by] of [[less, -1], [more, 1]]) {
      const label = input.labels[0];
      if (label) {
        label.id ||= `${input.id}_label`;
        button.setAttribute("aria-describedby", label.id);
      } else button.setAttribute("aria-description", input.ariaLabel);
      button.addEventListener("click", () => step(input, by));
    }
    if (picture) more.classList.add("step-picture");
    const box = document.createElement("span");
    box.className = "stepper";
    input.replaceWith(box);
    box.append(less, input, more);
    if (picture) picture.append(more);
    input.addEventListener("keydown", (event) => {
      const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
      if (!by) return;
      event.preventDefault();
      step(input, by);
    });
  }
  const many = () => {
    for (const input of form.querySelectorAll("input[data-steps]")) {
      const count = parseInt(input.value, 10) || 0;
      const [picture, box] = [input.closest(".picture"), input.parentElement];
      box.querySelector(".step-less").classList.toggle("is-never", !count);
      (picture ?? box).querySelector(".step-more").classList.toggle("is-never", !can(input).is(String(count + 1)));
      picture?.classList.toggle("is-laid", count > 0);
      for (const words of picture?.querySelectorAll("[data-many]") ?? []) words.hidden = +words.dataset.many !== count;
    }
  };
  const trump = () => {
    const suit = form.querySelector("[name=trump]:checked, select[name=trump]")?.value ?? "";
    for (const use of form.querySelectorAll("use[data-trump]")) {
      use.setAttribute("href", use.getAttribute("href").replace(/#.*/, `#${suit.replace(/s$/, "") || "trump"}`));
      use.closest("svg").setAttribute("class", `suit suit-${suit.replace(/s$/, "") || "trump"}`);
    }
    form.dataset.trump = suit;
    for (const picture of form.querySelectorAll(".picture[data-suit]")) {
      picture.classList.toggle("is-royal", picture.dataset.suit === suit);
    }
  };

  /* Melds one by one, in the order of laying */
  for (const palette of form.querySelectorAll(".palette")) {
    palette.hidden = false;
    palette.addEventListener("click", (event) => {
      const lay = event.target.closest("[data-lay]")?.dataset.lay;
      if (lay === undefined) return;
      const places = [...palette.parentElement.querySelectorAll("select")];
      const place = lay ? places.find((one) => !one.value) : places.findLast((one) => one.value);
      if (!place) return;
      place.value = lay;
      place.dispatchEvent(new Event("input", { bubbles: true }));
    });
  }

  /* The pad: for the figure in focus, or else the first that is empty */
  const pad = made(".number-pad");
  const [rough, caption] = [pad.querySelector(".rough"), pad.querySelector(".asked")];
  const blank = rough.firstElementChild;
  const [DIGITS, keep] = ["pad-digits", (() => { try { return localStorage; } catch { return {}; } })()];
  let target = null, paired = null, fresh = false, chosen = false, moving = false, written = false;
  let typedLast = null; // the figure to which the last key went
  let jumped = false; // the keys have moved on by themselves: Next, pressed out of habit, means the same move
  let resting = false; // every figure is there: the keys change nothing unasked, but the last one can be taken back
  let hundreds = null, byDigits = keep[DIGITS] === "1"; // the hundreds touched so far; who would rather type figures
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
    never: !can(target).is(String(figure)), begun: true, pressed: hundreds === figure,
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
  const attribute = (key, name, value) => {
    if (value === undefined) key.removeAttribute(name);
    else key.setAttribute(name, value);
  };
  const lay = (keys) => { // a key that stays is the same one: it may be under the thumb, or in focus
    while (rough.children.length > keys.length) rough.lastElementChild.remove();
    while (rough.children.length < keys.length) rough.append(blank.cloneNode(true));
    keys.forEach(({ name, words, label, never, begun, pressed }, place) => {
      const made = rough.children[place];
      made.dataset.key = name;
      made.textContent = words;
      attribute(made, "aria-label", label);
      attribute(made, "aria-pressed", pressed);
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
  const aim = (input) => {
    if (input !== target) hundreds = null;
    target = input;
    if (target) resting = false;
    dim();
    for (const field of form.querySelectorAll("input.figure")) {
      field.classList.toggle("is-next", field === target);
      field.classList.toggle("is-with", field === paired);
    }
    if (thumbs) rest(document.activeElement);
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
      if (digit && never) key.setAttribute("aria-label", pad.dataset.never.replace("%s", digit));
      else if (digit) key.removeAttribute("aria-label");
      if (key.dataset.key === "minus") key.hidden = !("signed" in target.dataset);
    }
  };
  const measure = () => { // how much of the window the keys and the bar take
    document.documentElement.style.setProperty("--dock", `${form.querySelector(".dock").offsetHeight}px`);
  };
  const show = (field) => { // above the keys; and with it the one that they say too
    if (field !== target) return;
    measure();
    paired?.scrollIntoView({ block: "nearest", behavior: "instant" });
    field?.scrollIntoView({ block: "nearest" });
  };
  const LOW = 560; // of a window in pixels: below it the keys stand there only while a figure is asked,
  const SHORT = 720; // and below this only while one is aimed at: else they cover what is asked instead
  const slip = form.elements.sure && form.querySelector(".slip"); // what a correction would change, to be read first
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
  const wrong = (input) => input.getAttribute("aria-invalid") === "true";
  const waiting = () => { // in a deal that was refused what is wrong, in a correction only what is touched
    target = null;
    const first = figures().find(wrong);
    fresh = Boolean(first);
    return first ?? (form.elements.seen || form.querySelector("#refused") ? null : figures().find(empty)) ?? null;
  };
  const inSight = (field) => field.getBoundingClientRect().top >= 0 &&
    field.getBoundingClientRect().bottom <= form.querySelector(".dock").getBoundingClientRect().top;
  const isAimed = () => // at a figure that stands only if it is wrong, was touched, or was typed last and is in sight
    target && shown(target) && (target.value === "" || fresh || document.activeElement === target ||
      (target === typedLast && inSight(target)));
  const stepped = (input) => { // the keys say this figure anew, unless an empty one waits for them
    if (!thumbs || (target !== input && target?.value === "" && empty(target))) return;
    aim(input);
    fresh = true;
    dim();
  };
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
    const above = innerHeight - form.querySelector(".dock").getBoundingClientRect().bottom;
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
      hundreds = null;
      keep[DIGITS] = byDigits ? "1" : "";
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
      hundreds = key.startsWith("~") ? +key.slice(1) : null;
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
  if (thumbs) {
    for (const input of form.querySelectorAll("input.figure")) {
      input.inputMode = "none";
      if (input.type !== "number") continue;
      input.type = "text"; // a lone minus is no number yet
      if (!input.dataset.can || input.dataset.can.startsWith("-")) input.dataset.signed = "";
    }
    form.querySelector(".dock").prepend(pad);
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
      measure();
      show(document.activeElement); // a problem in words takes more room than none
      lookDown();
    }).observe(form.querySelector(".dock"));
    new ResizeObserver(stayBelow).observe(form);
  }
  form.addEventListener("pointerdown", (event) => { // the focus stays where it is
    if (event.target.closest("button[type=button]")) event.preventDefault();
  });

  /* What is read before it is confirmed comes into sight above the bar; without room for it the bar waits below it,
     until somebody goes on typing */
  if (slip) {
    document.fonts.ready.then(() => {
      const [refused, dock] = [form.querySelector("#refused"), form.querySelector(".dock")];
      measure();
      slip.scrollIntoView({ block: "nearest" });
      const room = slip.getBoundingClientRect().bottom <= dock.getBoundingClientRect().top;
      if (room && refused.getBoundingClientRect().top >= 0) return;
      form.classList.add("reads-first");
      refused.scrollIntoView({ block: "start" });
    });
    form.addEventListener("focusin", ({ target: field }) => field.matches(".figure") && form.classList.remove("reads-first"));
  }

  /* Reasons that somebody has opened stay open while the figures change */
  const told = form.querySelector("#reckoned");
  let open = false;
  told.addEventListener("htmx:beforeSwap", () => { open = Boolean(told.querySelector("details")?.open); });
  told.addEventListener("htmx:afterSwap", () => { if (open) told.querySelector("details")?.setAttribute("open", ""); });

  const settle = (edited) => {
    share(edited);
    none(edited);
    many();
    trump();
    if (!thumbs) return;
    resting &&= !figures().some(empty);
    if (!resting) aim(isAimed() ? target : waiting());
    lookDown();
  };
  form.addEventListener("input", (event) => {
    written = true;
    if (event.isTrusted) fresh = jumped = false;
    if (event.target.matches?.("[data-whole], [data-none-by]")) own(event.target);
    settle(event.target);
  });
  form.addEventListener("toggle", () => settle(), true);
  form.addEventListener("reset", () => { // the next deal's form, in the place of the last one's
    [target, typedLast, fresh, chosen, written, hundreds] = [null, null, false, false, false, null];
    settle();
  });
  addEventListener("pageshow", () => { // also when the browser brings back what was typed
    target = null;
    settle();
  });
  settle();
})();
