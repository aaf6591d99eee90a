/** The format strings of $dateToString and $dateFromString: `%` and a letter for each part. */

import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import {
  civilDate,
  dayOfYear,
  daysInMonth,
  daysOf,
  daysOfIsoWeek,
  isoDayOfWeek,
  isoWeek,
  padded,
  weekOfYear,
} from "./calendar.ts";
import { monthOfName, zoneOffsetAt } from "./date-names.ts";
import type { LocalTime } from "./timezone.ts";

const MONTH_NAMES = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

type Writer = (local: LocalTime) => string;

function monthName(days: number): string {
  return present(MONTH_NAMES[civilDate(days).month - 1]);
}

/** As `+0130`. */
function offsetText(offset: number): string {
  const minutes = Math.floor(Math.abs(offset) / 60);
  return `${offset < 0 ? "-" : "+"}${padded(Math.floor(minutes / 60), 2)}${padded(minutes % 60, 2)}`;
}

const WRITERS: Readonly<Record<string, Writer>> = {
  "%": () => "%",
  B: ({ days }) => monthName(days),
  G: ({ days }) => padded(isoWeek(days).year, 4),
  H: ({ hour }) => padded(hour, 2),
  L: ({ millisecond }) => padded(millisecond, 3),
  M: ({ minute }) => padded(minute, 2),
  S: ({ second }) => padded(second, 2),
  U: ({ days }) => padded(weekOfYear(days), 2),
  V: ({ days }) => padded(isoWeek(days).week, 2),
  Y: ({ days }) => padded(civilDate(days).year, 4),
  Z: ({ offset }) => String(Math.trunc(offset / 60)),
  b: ({ days }) => monthName(days).slice(0, 3),
  d: ({ days }) => padded(civilDate(days).day, 2),
  j: ({ days }) => padded(dayOfYear(days), 3),
  m: ({ days }) => padded(civilDate(days).month, 2),
  u: ({ days }) => padded(isoDayOfWeek(days), 1),
  w: ({ days }) => padded((isoDayOfWeek(days) % 7) + 1, 1),
  z: ({ offset }) => offsetText(offset),
};

function checkFormat(format: string, known: Readonly<Record<string, unknown>>): void {
  for (const [specifier] of format.matchAll(/%.?/gsu)) {
    if (specifier === "%") fail(18535, "Unmatched '%' at end of format string");
    if (!Object.hasOwn(known, present(specifier[1])))
      fail(18536, `Invalid format character '${specifier}' in format string`);
  }
}

export function checkWritingFormat(format: string): void {
  checkFormat(format, WRITERS);
}

export function formatDate(format: string, local: LocalTime): string {
  return format.replace(/%(.)/gs, (_, letter: string) => present(WRITERS[letter])(local));
}

/** What a text said about a date; undefined where it said nothing. */
export interface Found {
  year?: number;
  month?: number;
  day?: number;
  hour?: number;
  minute?: number;
  second?: number;
  millisecond?: number;
  isoYear?: number;
  isoWeek?: number;
  isoDay?: number;
  /** Seconds east of UTC. */
  offset?: number;
}

const SHOWN_LENGTH = 100;

/** A fault of the text. */
export function unreadable(text: string, why: string): never {
  fail(241, `Error parsing date string '${text.slice(0, SHOWN_LENGTH)}'; ${why}`);
}

/** Reads a text from left to right. */
class Reader {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** Patterns are sticky: they match here or not at all. */
  take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    this.at += found?.length ?? 0;
    return found;
  }

  digits(pattern: RegExp, what: string): string {
    return this.take(pattern) ?? unreadable(this.text, `${this.at}: ${what} could not be found`);
  }
}

function zoneOffset(reader: Reader): number {
  const end = { at: reader.at };
  const offset = zoneOffsetAt(reader.text, end);
  if (offset === undefined)
    unreadable(reader.text, "passing a time zone identifier as part of the string is not allowed");
  reader.at = end.at;
  return offset;
}

function minutesOffset(reader: Reader): number {
  const found = reader.take(/[+-]\d*/y);
  if (found === undefined) unreadable(reader.text, "Invalid timezone offset in minutes");
  return Number(found.length > 1 ? found : 0) * 60;
}

/** The day of the year counts from 0 here: MongoDB reads "2017 5" with %j as 6 January. */
function dayOfYearDate(reader: Reader, found: Found): void {
  if (found.year === undefined)
    unreadable(reader.text, "A 'day of year' can only come after a year has been found");
  const number = Number(reader.digits(/\d{1,3}/y, "A three digit day-of-year"));
  const date = civilDate(daysOf(found.year, 1, number + 1));
  Object.assign(found, date);
}

function month(reader: Reader): number {
  const name = reader.take(/[A-Za-z]+/y) ?? "";
  return monthOfName(name) ?? unreadable(reader.text, "A textual month could not be found");
}

function inRange(reader: Reader, pattern: RegExp, least: number, most: number, what: string): number {
  const number = Number(reader.digits(pattern, what).replace(/\D/g, ""));
  return number >= least && number <= most
    ? number
    : unreadable(reader.text, `${what} must be between ${least} and ${most}`);
}

const READERS: Readonly<Record<string, (reader: Reader, found: Found) => void>> = {
  "%": (reader) => {
    if (!reader.take(/%/y)) unreadable(reader.text, "Format literal not found");
  },
  B: (reader, found) => {
    found.month = month(reader);
  },
  G: (reader, found) => {
    found.isoYear = Number(reader.digits(/\D*\d{1,4}/y, "A four digit ISO year").replace(/\D/g, ""));
  },
  H: (reader, found) => {
    found.hour = Number(reader.digits(/\d{1,2}/y, "A two digit hour"));
  },
  L: (reader, found) => {
    found.millisecond = Number(reader.digits(/\d{1,3}/y, "A three digit millisecond").padEnd(3, "0"));
  },
  M: (reader, found) => {
    found.minute = Number(reader.digits(/\d{2}/y, "A two digit minute"));
  },
  S: (reader, found) => {
    found.second = Number(reader.digits(/\d{2}/y, "A two digit second"));
  },
  V: (reader, found) => {
    found.isoWeek = inRange(reader, /\D*\d{1,2}/y, 1, 53, "ISO Week");
  },
  Y: (reader, found) => {
    found.year = Number(reader.digits(/\d{1,4}/y, "A four digit year"));
  },
  Z: (reader, found) => {
    found.offset = minutesOffset(reader);
  },
  b: (reader, found) => {
    found.month = month(reader);
  },
  d: (reader, found) => {
    found.day = Number(reader.digits(/\d{1,2}/y, "A two digit day"));
  },
  j: dayOfYearDate,
  m: (reader, found) => {
    found.month = Number(reader.digits(/\d{1,2}/y, "A two digit month"));
  },
  u: (reader, found) => {
    found.isoDay = inRange(reader, /\D*\d/y, 1, 7, "Day of week");
  },
  z: (reader, found) => {
    found.offset = zoneOffset(reader);
  },
};

export function checkReadingFormat(format: string): void {
  checkFormat(format, READERS);
}

/** What the text says, read along the format; the format is checked beforehand. */
export function parseByFormat(text: string, format: string): Found {
  const reader = new Reader(text);
  const found: Found = {};
  let at = 0;
  for (; at < format.length && !reader.isAtEnd; at++) {
    if (format[at] === "%") present(READERS[present(format[++at])])(reader, found);
    else if (text[reader.at++] !== format[at]) unreadable(text, `${reader.at - 1}: Format literal not found`);
  }
  if (!reader.isAtEnd) unreadable(text, `${reader.at}: Trailing data`);
  if (at < format.length) unreadable(text, "Not enough data available to satisfy format");
  return withNaturalDate(text, found);
}

function withNaturalDate(text: string, found: Found): Found {
  const { isoYear, isoWeek: week, isoDay } = found;
  if (isoYear === undefined && week === undefined && isoDay === undefined) return found;
  if (found.year !== undefined || (isoYear !== undefined && (found.month ?? found.day) !== undefined))
    unreadable(text, "Mixing of ISO dates with natural dates is not allowed");
  if (isoYear === undefined) unreadable(text, "The parsed date was invalid");
  return { ...found, ...civilDate(daysOfIsoWeek(isoYear, week ?? 1, isoDay ?? 1)) };
}

/** Days since 1970 and milliseconds of the day; the date whole, the time from midnight where not given. */
export function completeDate(text: string, found: Found): { days: number; timeMs: number } {
  const { year, month: monthOfYear, day } = found;
  if (year === undefined || monthOfYear === undefined || day === undefined)
    fail(
      241,
      `an incomplete date/time string has been found, with elements missing: "${text.slice(0, SHOWN_LENGTH)}"`,
    );
  const { hour = 0, minute = 0, second = 0, millisecond = 0 } = found;
  if (monthOfYear < 1 || monthOfYear > 12 || day < 1 || day > daysInMonth(year, monthOfYear))
    unreadable(text, "The parsed date was invalid");
  if (hour > 23 || minute > 59 || second > 59) unreadable(text, "The parsed time was invalid");
  return {
    days: daysOf(year, monthOfYear, day),
    timeMs: ((hour * 60 + minute) * 60 + second) * 1000 + millisecond,
  };
}
