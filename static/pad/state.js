/* What the number pad is for. Pure: a state, what happens, and what is on the card give the next state.

   A card is { figures, focus, sees, wrong, checked, pair, rough }: its `figures` in sight, in order, each { name, value, can,
   usual, rare, fold, offered }; the name of the one in `focus`; whether somebody `sees` one; the `wrong` one that is asked
   first (null: a question that isn't a figure; undefined: nothing is wrong); whether the server has `checked` it or it is a
   correction; and `keysAt` a figure, were it in focus (keys.js): the name of the other of a `pair`, whether they are `rough`.

   A state tells the view where to `go`, what to `put` into which figure, and `after` what to go on from there. */

export const START = {
  target: null, // the figure into which the keys type
  last: null, // the figure to which the last key went
  fresh: false, // it is typed anew: the next digit takes the place of what is there
  chosen: false, // somebody has touched it: they mean this figure, however rare it is
  jumped: false, // the keys have moved on by themselves: Next, pressed out of habit, means the same move
  resting: false, // every figure is there: the keys change nothing unasked, but the last one can be taken back
  hundreds: null, // the hundreds touched so far
  wentOn: [], // what was typed where the keys moved on though a rare figure is longer; typed there again, that one is meant
};

export const figureOf = (card, name) => card.figures.find((figure) => figure.name === name);
const foldOf = (card, name) => figureOf(card, name)?.fold ?? null;
const isEmpty = (state, card) => {
  const fold = foldOf(card, state.target);
  return (figure) => figure.value === "" && !figure.rare && figure.fold === fold;
};

export const aim = (state, target) => ({
  ...state, target, hundreds: target === state.target ? state.hundreds : null, resting: state.resting && target === null,
});
export const moveTo = (state, name) => ({ ...aim(state, name), chosen: false, fresh: false, go: name });

const waiting = (state, card) => { // in a deal that was refused what is wrong first, in a correction only what is touched
  const none = { ...state, target: null, hundreds: null };
  const first = card.checked ? undefined : card.figures.find(isEmpty(none, card));
  return { ...aim(none, (card.wrong === undefined ? first?.name : card.wrong) ?? null), fresh: card.wrong !== undefined };
};

const isAimed = ({ target, last, fresh }, card) => { // a figure stays only if it is asked, was touched, or typed last
  const figure = figureOf(card, target);
  return figure && (figure.value === "" || fresh || card.focus === target || (target === last && card.sees(target)));
};

export const settle = (state, card) => { // something has changed on the card
  const resting = state.resting && !card.figures.some(isEmpty(state, card));
  if (resting) return state;
  const now = { ...state, resting };
  return isAimed(now, card) ? aim(now, now.target) : waiting(now, card);
};

const onwards = (state, card) => { // to a figure that is asked; when all are there, to Save, which is in sight
  const { figures } = card, asked = isEmpty(state, card);
  const after = figures.slice(figures.indexOf(figureOf(card, state.target)) + 1).find(asked) ?? figures.find(asked);
  if (after) return { ...moveTo(state, after.name), jumped: after.name !== state.target };
  return { ...aim(state, null), resting: true, go: "save" };
};

const next = (state, card) => { // who looks through a full card goes from figure to figure, each to be typed anew
  const now = { ...state, jumped: false }, { figures } = card;
  if (state.jumped && figureOf(card, state.target)?.value === "") return now;
  const from = state.target ?? state.last, fold = foldOf(card, from);
  const after = figures.slice(figures.indexOf(figureOf(card, from)) + 1).find((figure) => !figure.rare && figure.fold === fold);
  if ((state.target && !state.chosen) || !after || figures.some(isEmpty(state, card))) {
    return { ...onwards(now, card), jumped: false };
  }
  return { ...moveTo(now, after.name), chosen: true, fresh: true };
};

const typedBefore = ({ figures }, name) => {
  const place = figures.findIndex((figure) => figure.name === name);
  const before = place < 0 ? figures : figures.slice(0, place);
  return before.findLast((figure) => figure.value && !figure.rare && !figure.offered)?.name ?? null;
};
export const takesBack = ({ resting, target, last }, card) => { // to what Back goes where it finds nothing: the last typed
  if (!resting && figureOf(card, target)?.value !== "") return null;
  const emptied = target !== null && target === last; // and after it the one before
  return figureOf(card, last)?.value ? last : emptied ? typedBefore(card, last) : null;
};

const digit = (state, key, { name, value, can, usual }) => {
  const before = state.fresh ? "" : value;
  const now = { ...state, fresh: false };
  if (key === "back") return { ...now, put: [[name, before.slice(0, -1)]] };
  if (key === "minus") return { ...now, put: [[name, before.startsWith("-") ? before.slice(1) : `-${before}`]] };
  const typed = before === "0" ? key : before + key, longer = can.longer(typed);
  const isRare = longer < Infinity && longer > usual && !state.chosen, spot = `${name}=${typed}`;
  if (!can.is(typed) || !(longer === Infinity || (isRare && !state.wentOn.includes(spot)))) {
    return { ...now, put: [[name, typed]] };
  }
  return { ...now, put: [[name, typed]], after: {}, wentOn: isRare ? [...state.wentOn, spot] : state.wentOn };
};

export const press = (state, key, card) => {
  let now = state;
  const last = key === "back" && takesBack(state, card);
  if (last) now = moveTo(state, last);
  else if (!state.resting && !isAimed(state, card)) now = waiting(state, card);
  if (key === "next") return next(now, card);
  const figure = figureOf(card, now.target);
  if (!figure) return now;
  now = { ...now, jumped: false };
  if (key === "face") return { ...now, hundreds: null };
  if (card.focus !== figure.name) now = { ...moveTo(now, figure.name), fresh: now.fresh };
  now = { ...now, last: figure.name };
  const { pair, rough } = card.keysAt(figure.name), calm = { ...now, fresh: false };
  if (key === "back" && rough) {
    return { ...calm, hundreds: null, put: [figure.name, pair].filter(Boolean).map((name) => [name, ""]) };
  }
  if (key.includes("&")) {
    const [first, second] = key.split("&"), put = [[figure.name, first], [pair, second]];
    return { ...calm, put: put.filter(([, typed]) => typed), after: { pair } };
  }
  if (key.startsWith("~")) return { ...calm, hundreds: +key.slice(1), put: [[figure.name, key.slice(1)]] };
  if (key.startsWith("=")) return { ...calm, hundreds: null, put: [[figure.name, key.slice(1)]], after: {} };
  return digit(now, key, figure);
};

export const goOn = (state, { pair }, card) => { // what was put is on the card
  const open = pair && [state.target, pair].find((name) => isEmpty(state, card)(figureOf(card, name)));
  return open ? moveTo(state, open) : onwards(aim(state, pair ?? state.target), card);
};

export const touch = (state, name, card) => // somebody goes into a figure
  ({ ...aim(state, name), chosen: true, jumped: false, fresh: figureOf(card, name)?.value !== "" });

export const step = (state, name, card) => { // by plus or minus: the keys say it anew, unless an empty one waits for them
  const figure = figureOf(card, state.target);
  if (state.target !== name && figure && isEmpty(state, card)(figure)) return { ...state, jumped: false };
  return { ...aim(state, name), jumped: false, fresh: true };
};

export const begin = (card, { touched = null, half = null } = {}) => { // the keys are as after typing what the card has
  const state = settle({ ...START, ...touched }, card);
  if (card.checked) return state;
  if (half?.value) return { ...aim(state, half.name), last: half.name, hundreds: +half.value };
  return { ...state, last: typedBefore(card, state.target), resting: state.target === null };
};
