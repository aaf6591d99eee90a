/** Names in dates: months, days of the week, and the abbreviations of time zones. */

const MONTHS = [
  ["jan", "january", "i"],
  ["feb", "february", "ii"],
  ["mar", "march", "iii"],
  ["apr", "april", "iv"],
  ["may", "v"],
  ["jun", "june", "vi"],
  ["jul", "july", "vii"],
  ["aug", "august", "viii"],
  ["sep", "sept", "september", "ix"],
  ["oct", "october", "x"],
  ["nov", "november", "xi"],
  ["dec", "december", "xii"],
];

/** 1 for January, by its name in English, its first three letters or its Roman number. */
export function monthOfName(name: string): number | undefined {
  const index = MONTHS.findIndex((names) => names.includes(name.toLowerCase()));
  return index < 0 ? undefined : index + 1;
}

/** Hours east of UTC. Names that different countries use differently are left out. */
const ABBREVIATIONS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    utc: 0,
    gmt: 0,
    z: 0,
    wet: 0,
    west: 1,
    bst: 1,
    cet: 1,
    cest: 2,
    eet: 2,
    eest: 3,
    msk: 3,
    jst: 9,
    est: -5,
    edt: -4,
    cst: -6,
    cdt: -5,
    mst: -7,
    mdt: -6,
    pst: -8,
    pdt: -7,
    akst: -9,
    akdt: -8,
    hst: -10,
    a: 1,
    b: 2,
    c: 3,
    d: 4,
    e: 5,
    f: 6,
    g: 7,
    h: 8,
    i: 9,
    k: 10,
    l: 11,
    m: 12,
    n: -1,
    o: -2,
    p: -3,
    q: -4,
    r: -5,
    s: -6,
    t: -7,
    u: -8,
    v: -9,
    w: -10,
    x: -11,
    y: -12,
  }),
);

const NUMERIC = /^(\d{1,2})(?::?(\d{2})(?::?(\d{2}))?)?/;

/**
 * The offset, in seconds, that stands at `end.at` of a text; `end.at` moves behind it. Undefined where
 * there is none, or a name that is not known.
 */
export function zoneOffsetAt(text: string, end: { at: number }): number | undefined {
  const blank = /^[ \t(]*/.exec(text.slice(end.at))?.[0] ?? "";
  let rest = text.slice(end.at + blank.length);
  if (/^GMT[+-]/.test(rest)) rest = rest.slice(3);
  const sign = /^[+-]/.exec(rest)?.[0];
  const found = sign ? NUMERIC.exec(rest.slice(1)) : /^[A-Za-z]+/.exec(rest);
  if (!found) return undefined;
  const consumed = text.length - rest.length + (sign ? 1 : 0) + found[0].length;
  end.at = consumed + (/^\)*/.exec(text.slice(consumed))?.[0].length ?? 0);
  if (sign) {
    const size = Number(found[1]) * 3600 + Number(found[2] ?? 0) * 60 + Number(found[3] ?? 0);
    return sign === "-" ? -size : size;
  }
  const hours = ABBREVIATIONS.get(found[0].toLowerCase());
  return hours === undefined ? undefined : hours * 3600;
}

const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/** 1 for Monday to 7 for Sunday, by the whole name or three letters. */
export function weekdayOfName(name: string): number | undefined {
  const index = WEEKDAYS.indexOf(name.slice(0, 3).toLowerCase());
  return index < 0 ? undefined : index + 1;
}
