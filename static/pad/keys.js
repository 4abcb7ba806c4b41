/* Which keys the number pad has. Pure: what a figure can be, and the size of the window, give the keys. */

const known = new Map();
/* What a figure can be, of rows as scoring.form_parts.compress_figures writes them: `is` a whole one, and the smallest `longer` one
   that goes on from what is typed */
export const hintsOf = (rows) => {
  if (!rows) return { is: () => true, longer: (typed) => (typed === "0" ? Infinity : 10 * Math.abs(typed)), all: [] };
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
    known.set(rows, { is: (typed) => whole.has(typed), longer: (typed) => next.get(typed) ?? Infinity, all: [...whole] });
  }
  return known.get(rows);
};

/* Points in steps of five: their hundreds are one key, and what they end with another. 0: no such figure */
export const stepOf = (rows) => {
  const [, last, step] = /^0-(\d+)\/(\d+)$/.exec(rows ?? "") ?? [];
  return +last >= 500 && +step >= 5 && 100 % +step === 0 ? +step : 0;
};

const WIDE = 46, HIGH = 46; // pixels: of a key and the gap after it
const REST = 384; // pixels of the height for what must stay in sight: two fields, the bar and the pad's own keys
const NARROW = 340; // pixels: below them the keys of hundreds find no room beside each other
const LEAST = 4; // columns: the other face, back, and Next in two
const columnsOf = (width) => Math.min(10, Math.floor(width / WIDE)); // a tablet's keys are wider, not more
const rowsOf = (height) => Math.min(10, Math.max(6, Math.floor((height - REST) / HIGH)));
const row = (length) => Array.from({ length }, (_, place) => place);

/* For many keys at once there is room while a field has the focus: it is in sight above them */
export const isRoomy = ({ width, height }) => columnsOf(width) >= 6 && height >= 600;

const byHundreds = ({ can }, { step, wide, hundreds, from, width, height }) => {
  const begins = (figure) => ({
    name: `~${figure}`, words: figure, label: from.replace("%s", figure), begun: true, pressed: hundreds === figure,
    never: !row(100).some((more) => can.is(String(figure + more))),
  });
  const ends = (figure) => ({ name: `=${figure}`, words: figure, never: !can.is(String(figure)) });
  if (!wide && hundreds === null) return { keys: row(20).map((place) => begins(100 * place)) };
  const columns = columnsOf(width);
  const many = wide ? Math.max(200, 100 * Math.floor(columns * rowsOf(height) * step / 100)) : 100; // points with own keys
  const under = row(many / step).map((place) => ends((hundreds ?? 0) + step * place));
  if (!wide) return { keys: under };
  const more = row(columns - LEAST).map((place) => many * (place + 1)).filter((figure) => figure < 1000);
  return { keys: [...under, ...more.map(begins)], columns };
};

/* Two counts in one touch: all that the first can be with all that the second can be. One goes across and one down,
   whichever way more of them have a key; what the longer can be beyond that is below. */
const together = (fields, { width, height }) => {
  const long = fields[0].keys >= fields[1].keys ? 0 : 1;
  const room = (flat) => [Math.min(fields[flat].keys, columnsOf(width)), Math.min(fields[1 - flat].keys, rowsOf(height))];
  const [lying, upright] = [room(long), room(1 - long)];
  const isUpright = upright[0] >= LEAST && upright[0] * upright[1] > lying[0] * lying[1];
  const [[across, down], flat] = isUpright ? [upright, 1 - long] : [lying, long];
  const both = (figures) => ({
    name: figures.join("&"), words: figures.join("\u2009·\u2009"),
    label: fields.map(({ label }, place) => `${label}: ${figures[place]}`).join("; "),
    never: fields.some(({ can }, place) => !can.is(String(figures[place]))),
    pressed: fields.every(({ value }, place) => value === String(figures[place])),
  });
  const ordered = (first, second) => (flat ? [second, first] : [first, second]);
  const whole = row(down).flatMap((below) => row(across).map((beside) => both(ordered(beside, below))));
  const beyond = row(across - LEAST).map((place) => (isUpright ? down : across) + place)
    .filter((figure) => fields[long].can.is(String(figure)));
  const alone = (figure, other) => (isUpright ? ordered(other, figure) : ordered(figure, other));
  return { columns: across, keys: [...whole, ...beyond.map((figure) => ({ // its place says which of the two it is
    name: alone(figure, "").join("&"), words: alone(figure, "…").join(figure > 9 ? "·" : "\u2009·\u2009"),
    label: `${fields[long].label}: ${figure}`,
  }))] };
};

/* A key for each that a figure can be, where they are few enough for the window; else null */
const each = ({ can, usual }, { width, height }) => {
  const figures = can.all.filter((figure) => figure <= usual), columns = columnsOf(width);
  return figures.length > 10 && figures.length <= columns * (rowsOf(height) - 1) && figures.every((figure) => figure >= 0)
    ? { columns, keys: figures.map((figure) => ({ name: `=${figure}`, words: figure })) } : null;
};

/* The keys for a figure, or null. `other`: the figure asked with it. `offers`: there are fewer touches than digit by digit;
   `rough`: these keys are there; `pair`: they say both figures. */
export const faceOf = (figure, { other, focused, byDigits, ...window }) => {
  const isWide = focused && isRoomy(window);
  const points = stepOf(figure?.rows), pair = isWide ? other : null;
  const few = isWide && !pair && !points && figure.value === "" ? each(figure, window) : null;
  const wide = isWide && Boolean(pair || few || (points && figure.small));
  const step = wide || window.width >= NARROW ? points : 0;
  const offers = Boolean(step || pair || few), rough = offers && !byDigits;
  const keys = rough && (few ?? (pair ? together([figure, pair], window) : byHundreds(figure, { step, wide, ...window })));
  return { offers, rough, wide: wide && rough, pair: rough ? pair : null, ...keys };
};

/* Whether no figure goes on with this digit. Its key can be pressed all the same: the server is the judge. */
export const isNever = ({ can }, typed, digit) => !can.is(typed + digit) && can.longer(typed + digit) === Infinity;
