/**
 * Time zones: `+hh`, `+hhmm`, `+hh:mm` and the names of the IANA database, whose rules Intl knows. A local
 * time that a clock change skips counts from before the change; one that occurs twice is the first.
 */

import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { DAY_SECONDS, floorDivide } from "./calendar.ts";

export interface Zone {
  /** Seconds east of UTC at a moment given in seconds since 1970. */
  offsetAt(seconds: number): number;
  isUtc: boolean;
  isFixed: boolean;
}

export const UTC: Zone = { offsetAt: () => 0, isUtc: true, isFixed: true };

const OFFSET = /^([+-])(\d\d)(?::?(\d\d))?$/;
const NAME = /^[A-Z][A-Za-z0-9_+\-/]*$/;
const OFFSET_TEXT = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;
const SLOT_SECONDS = 900;
/** Since then all zones change their clocks at full quarters of an hour. */
const REGULAR_SINCE = 63_072_000;
const MAX_SLOTS = 20_000;
/** As far as Intl's dates reach. */
const LAST_SECOND = 8_640_000_000_000;

function signedSeconds(sign: string, hours: string, minutes = "0", seconds = "0"): number {
  const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return sign === "-" ? -size : size;
}

function fixedZone(offset: number): Zone {
  return { offsetAt: () => offset, isUtc: offset === 0, isFixed: true };
}

function askIntl(format: Intl.DateTimeFormat, seconds: number): number {
  const reachable = Math.max(-LAST_SECOND, Math.min(LAST_SECOND, seconds));
  const found = OFFSET_TEXT.exec(format.format(reachable * 1000));
  return found?.[1] ? signedSeconds(found[1], present(found[2]), found[3], found[4]) : 0;
}

/** Remembers the offset of each quarter of an hour, since asking Intl costs microseconds. */
function namedZone(format: Intl.DateTimeFormat): Zone {
  const slots = new Map<number, number>();
  return {
    isUtc: false,
    isFixed: false,
    offsetAt(seconds) {
      if (seconds < REGULAR_SINCE) return askIntl(format, seconds);
      const slot = Math.floor(seconds / SLOT_SECONDS);
      let offset = slots.get(slot);
      if (offset === undefined) {
        offset = askIntl(format, slot * SLOT_SECONDS);
        if (slots.size >= MAX_SLOTS) slots.clear();
        slots.set(slot, offset);
      }
      return offset;
    },
  };
}

function intlFormat(name: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" });
  } catch {
    return undefined;
  }
}

const ZONES = new Map<string, Zone>([["UTC", UTC]]);

export function zoneOf(name: string): Zone {
  const known = ZONES.get(name);
  if (known) return known;
  const offset = OFFSET.exec(name);
  if (offset) return fixedZone(signedSeconds(present(offset[1]), present(offset[2]), offset[3]));
  const format = NAME.test(name) ? intlFormat(name) : undefined;
  if (!format) fail(40485, `unrecognized time zone identifier: "${name}"`);
  const zone = namedZone(format);
  ZONES.set(name, zone);
  return zone;
}

/** A moment on the clock and the calendar of a zone. */
export interface LocalTime {
  /** Of the local calendar, since 1970. */
  days: number;
  hour: number;
  minute: number;
  second: number;
  millisecond: number;
  /** Seconds east of UTC. */
  offset: number;
}

export function localTime(ms: bigint, zone: Zone): LocalTime {
  const moment = floorDivide(ms, 1000n);
  const offset = zone.offsetAt(Number(moment));
  const local = Number(moment) + offset;
  const days = Math.floor(local / DAY_SECONDS);
  const second = local - days * DAY_SECONDS;
  return {
    days,
    hour: Math.floor(second / 3600),
    minute: Math.floor(second / 60) % 60,
    second: second % 60,
    millisecond: Number(ms - moment * 1000n),
    offset,
  };
}

/** The moment at which the zone's clock shows `local`, both in milliseconds. */
export function momentOf(local: bigint, zone: Zone): bigint {
  const seconds = Number(floorDivide(local, 1000n));
  const before = zone.offsetAt(seconds - DAY_SECONDS);
  const after = zone.offsetAt(seconds + DAY_SECONDS);
  const isBefore = before === after || zone.offsetAt(seconds - before) === before;
  const isAfter = !isBefore && zone.offsetAt(seconds - after) === after;
  return local - BigInt(isAfter ? after : before) * 1000n;
}
