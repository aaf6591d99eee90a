/**
 * Dates in free text: ISO 8601 and the other usual ways to write a date and a time. The text is read as a
 * row of words; at each place the rule that reads furthest wins. Words relative to now are refused.
 */
import { present } from "../values/present.ts";
import { civilDate, daysOf, daysOfIsoWeek, isoDayOfWeek } from "./calendar.ts";
import { type Found, unreadable } from "./date-format.ts";
import { monthOfName, weekdayOfName, zoneOffsetAt } from "./date-names.ts";

type Groups = Record<string, string | undefined>;

interface FreeFound extends Found {
  weekday?: number;
}

interface Rule {
  pattern: RegExp;
  /** Which part of the whole the rule gives; each may be given once. */
  gives: readonly ("date" | "time" | "zone" | "nothing")[];
  read(groups: Groups, found: FreeFound): void;
}

const HOUR24 = "(?<hour>[01]?\\d|2[0-4])";
const HOUR12 = "(?<hour>0?[1-9]|1[0-2])";
const MINUTE = "(?<minute>[0-5]?\\d)";
const SECOND = "(?<second>[0-5]?\\d|60)";
const FRACTION = "(?:[.,](?<fraction>\\d+))?";
const MERIDIAN = "[ \\t]*(?<meridian>[ap])\\.?m\\.?(?=[\\t ]|$)";
const YEAR4 = "(?<year>\\d{4})";
const YEAR = "(?<year>\\d{1,4})";
const MONTH = "(?<month>0?\\d|1[0-2])";
const MONTH_NAME =
  "(?<name>january|february|march|april|may|june|july|august|september|october|november|december|" +
  "jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec)";
const DAY = "(?<day>[0-2]?\\d|3[01])(?:st|nd|rd|th)?";
const GAP = "[ \\t.-]*";

function rule(source: string, gives: Rule["gives"], read: Rule["read"]): Rule {
  return { pattern: new RegExp(source, "iy"), gives, read };
}

/** Years of one or two digits mean 1970 to 2069. */
function yearOf(text: string): number {
  const year = Number(text);
  if (text.length >= 4 || year >= 100) return year;
  return year < 70 ? year + 2000 : year + 1900;
}

function readDate(groups: Groups, found: FreeFound): void {
  found.year = yearOf(present(groups.year));
  found.month = groups.name ? monthOfName(groups.name) : Number(groups.month);
  found.day = Number(groups.day ?? 1);
}

function readTime(groups: Groups, found: FreeFound): void {
  const hour = Number(groups.hour);
  const isPm = groups.meridian?.toLowerCase() === "p";
  found.hour = groups.meridian ? (hour % 12) + (isPm ? 12 : 0) : hour;
  found.minute = Number(groups.minute ?? 0);
  found.second = Number(groups.second ?? 0);
  found.millisecond = Number((groups.fraction ?? "").padEnd(3, "0").slice(0, 3));
}

function readBoth(groups: Groups, found: FreeFound): void {
  readDate(groups, found);
  readTime(groups, found);
}

function readIsoWeek(groups: Groups, found: FreeFound): void {
  Object.assign(
    found,
    civilDate(daysOfIsoWeek(Number(groups.year), Number(groups.week), Number(groups.day ?? 1))),
  );
}

function readDayOfYear(groups: Groups, found: FreeFound): void {
  Object.assign(found, civilDate(daysOf(Number(groups.year), 1, Number(groups.ordinal))));
}

function readTimestamp(groups: Groups, found: FreeFound): void {
  const seconds = Number(groups.seconds);
  Object.assign(found, civilDate(Math.floor(seconds / 86_400)));
  const time = seconds - Math.floor(seconds / 86_400) * 86_400;
  Object.assign(found, {
    hour: Math.floor(time / 3600),
    minute: Math.floor(time / 60) % 60,
    second: time % 60,
  });
  found.millisecond = Number((groups.fraction ?? "").padEnd(3, "0").slice(0, 3));
  found.offset = 0;
}

function midday(hour: number): Rule["read"] {
  return (_, found) => Object.assign(found, { hour, minute: 0, second: 0, millisecond: 0 });
}

const DATES = [
  `${YEAR4}-(?<month>0\\d|1[0-2])-(?<day>0\\d|[12]\\d|3[01])`,
  `${YEAR}-${MONTH}-${DAY}`,
  `${YEAR4}-${MONTH}`,
  `${YEAR4}/${MONTH}/${DAY}/?`,
  `${MONTH}/${DAY}/${YEAR}`,
  `${DAY}[.\\t-]${MONTH}[.-]${YEAR4}`,
  `${DAY}[.\\t]${MONTH}\\.(?<year>\\d{2})`,
  `${DAY}${GAP}${MONTH_NAME}${GAP}${YEAR}`,
  `${MONTH_NAME}${GAP}${DAY}[,.stndrh\\t ]+${YEAR}`,
  `${MONTH_NAME}${GAP}${YEAR4}`,
  `${YEAR4}${GAP}${MONTH_NAME}`,
  `${YEAR}-${MONTH_NAME}-(?<day>0\\d|[12]\\d|3[01])`,
  `${MONTH_NAME}-(?<day>0\\d|[12]\\d|3[01])-${YEAR}`,
  `${YEAR4}(?<month>0\\d|1[0-2])(?<day>0\\d|[12]\\d|3[01])`,
];

const RULES: readonly Rule[] = [
  rule("[ .,;\\t]+", ["nothing"], () => {}),
  ...DATES.map((source) => rule(source, ["date"], readDate)),
  rule(`${YEAR4}-?W(?<week>0[1-9]|[1-4]\\d|5[0-3])(?:-?(?<day>[0-7]))?`, ["date"], readIsoWeek),
  rule(`${YEAR4}[.-]?(?<ordinal>[0-3]\\d\\d)(?!\\d)`, ["date"], readDayOfYear),
  rule(`t?${HOUR24}[:.]${MINUTE}(?:[:.]${SECOND}${FRACTION})?`, ["time"], readTime),
  rule(`t(?<hour>[01]\\d|2[0-4])(?<minute>[0-5]\\d)(?:(?<second>[0-5]\\d|60))?`, ["time"], readTime),
  rule(`t${HOUR24}`, ["time"], readTime),
  rule(`${HOUR12}(?:[:.]${MINUTE}(?:[:.]${SECOND})?)?${MERIDIAN}`, ["time"], readTime),
  rule(
    `${YEAR4}(?<month>0\\d|1[0-2])(?<day>0\\d|[12]\\d|3[01])t${HOUR24}:?(?<minute>[0-5]\\d):?(?<second>[0-5]\\d|60)`,
    ["date", "time"],
    readBoth,
  ),
  rule(
    `${YEAR4}:(?<month>0\\d|1[0-2]):(?<day>0\\d|[12]\\d|3[01]) ${HOUR24}:${MINUTE}:${SECOND}`,
    ["date", "time"],
    readBoth,
  ),
  rule(`${DAY}/${MONTH_NAME}/${YEAR4}:${HOUR24}:${MINUTE}:${SECOND}`, ["date", "time"], readBoth),
  rule("@(?<seconds>-?\\d+)(?:\\.(?<fraction>\\d{1,6}))?", ["date", "time", "zone"], readTimestamp),
  rule("noon", ["time"], midday(12)),
  rule("midnight|today", ["time"], midday(0)),
  rule(
    "(?<weekday>(?:mon|tues|wednes|thurs|fri|satur|sun)day|mon|tue|wed|thu|fri|sat|sun)\\b",
    ["nothing"],
    (groups, found) => {
      found.weekday = weekdayOfName(present(groups.weekday));
    },
  ),
];

const DOUBLE = {
  date: "Double date specification",
  time: "Double time specification",
  zone: "Double timezone specification",
};

/** The rule that reads furthest from `at`, with what it read. */
function longest(text: string, at: number): { rule: Rule; end: number; groups: Groups } | undefined {
  let best: { rule: Rule; end: number; groups: Groups } | undefined;
  for (const candidate of RULES) {
    candidate.pattern.lastIndex = at;
    const found = candidate.pattern.exec(text);
    const end = at + (found?.[0].length ?? 0);
    if (found && end > (best?.end ?? at)) best = { rule: candidate, end, groups: found.groups ?? {} };
  }
  return best;
}

/** A day of the week moves a date forward to that day, where it is another. */
function onWeekday(found: FreeFound): Found {
  const { weekday, year, month, day } = found;
  if (weekday === undefined || year === undefined || month === undefined || day === undefined) return found;
  const days = daysOf(year, month, day);
  return { ...found, ...civilDate(days + ((weekday - isoDayOfWeek(days) + 7) % 7)) };
}

const MAX_LENGTH = 300;

export function parseFreeText(text: string): Found {
  if (text.length > MAX_LENGTH) unreadable(text, "too long for a date");
  const found: FreeFound = {};
  const given = new Set<string>();
  const give = (part: keyof typeof DOUBLE) => {
    if (given.has(part)) unreadable(text, DOUBLE[part]);
    given.add(part);
  };
  for (let at = 0; at < text.length; ) {
    const match = longest(text, at);
    if (match) {
      for (const part of match.rule.gives) if (part !== "nothing") give(part);
      match.rule.read(match.groups, found);
      at = match.end;
      continue;
    }
    const end = { at };
    const offset = zoneOffsetAt(text, end);
    if (offset === undefined) unreadable(text, `${at}: Unexpected character '${text[at]}'`);
    give("zone");
    found.offset = offset;
    at = end.at;
  }
  return onWeekday(found);
}
