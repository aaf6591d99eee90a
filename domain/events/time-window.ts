import { Refusal } from "#domain/refusal.ts";
import { lastItem } from "#domain/required.ts";
import { DAY_MS, HOUR_MS, HOUR_SECONDS, MINUTE_MS, SECOND_MS } from "#domain/time/durations.ts";
import { parseExactTimestamp } from "#domain/time/timestamp.ts";

/** The end is exclusive. */
export type TimeWindow = { start: Date; end: Date };

const UNIT_MS = { s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };
const isUnit = (unit: string): unit is keyof typeof UNIT_MS => Object.hasOwn(UNIT_MS, unit);
const LENGTH = /^(\d{1,6})([smhd]?)$/;
const WINDOW_MAX_MS = 31 * UNIT_MS.d;

type WindowQuery = { timerange?: string; start_time?: string; end_time?: string };

const refuseQuery = (field: string, message: string) => Refusal("invalid_query", { field, message });

/** Parses `30m`, `24h` or `7d`; a bare number means seconds. Returns null for anything else. */
function parseLengthMs(text: string): number | null {
  const [, count, unit = ""] = LENGTH.exec(text) ?? [];
  return Number(count) > 0 ? Number(count) * UNIT_MS[isUnit(unit) ? unit : "s"] : null;
}

/** Reads the window of a query: the last hours before now, or two moments. The end defaults to now. */
export function parseWindow(query: WindowQuery, now: Date, defaultMs: number): TimeWindow | Refusal {
  const { timerange, start_time, end_time } = query;
  if (timerange !== undefined && (start_time ?? end_time) !== undefined)
    return refuseQuery("timerange", "Give a timerange or a start_time and end_time, not both.");
  if (start_time !== undefined || end_time !== undefined) return parseMoments(start_time, end_time, now);
  const lengthMs = timerange === undefined ? defaultMs : /[mhd]$/.test(timerange) && parseLengthMs(timerange);
  if (!lengthMs) return refuseQuery("timerange", "A timerange looks like 30m, 24h or 7d.");
  if (lengthMs > WINDOW_MAX_MS) return refuseQuery("timerange", "A timerange has at most 31 days.");
  return { start: new Date(now.getTime() - lengthMs), end: new Date(now.getTime() + 1) };
}

function parseMoments(
  start_time: string | undefined,
  end_time: string | undefined,
  now: Date,
): TimeWindow | Refusal {
  const start = parseExactTimestamp(start_time);
  const end = end_time === undefined ? now : parseExactTimestamp(end_time);
  if (!start) return refuseQuery("start_time", "A moment looks like 2026-11-14T09:00:00Z.");
  if (!end) return refuseQuery("end_time", "A moment looks like 2026-11-14T09:00:00Z.");
  if (start >= end) return refuseQuery("end_time", "The end must come after the start.");
  if (end.getTime() - start.getTime() > WINDOW_MAX_MS)
    return refuseQuery("start_time", "A window has at most 31 days.");
  return { start, end };
}

const GRANULARITIES_SECONDS = [60, 300, 900, HOUR_SECONDS, 6 * HOUR_SECONDS, 24 * HOUR_SECONDS];
const POINTS_WANTED = 200;
const POINTS_MAX = 2_100;
// Steps under an hour are built from minutes; a query may read a week of them.
const FINE_WINDOW_MAX_MS = 7 * UNIT_MS.d + UNIT_MS.h;

/** Returns the seconds between two points: as requested, in whole minutes, or else a step that fits a chart. */
export function parseGranularity(text: string | undefined, { start, end }: TimeWindow): number | Refusal {
  const lengthMs = end.getTime() - start.getTime();
  const seconds = text === undefined ? chooseGranularity(lengthMs) : (parseLengthMs(text) ?? 0) / 1_000;
  if (seconds < 60 || seconds % 60 !== 0)
    return refuseQuery("granularity", "A granularity is whole minutes and looks like 300, 5m, 1h or 1d.");
  const isFine = seconds % HOUR_SECONDS !== 0;
  if (lengthMs / (seconds * 1_000) > POINTS_MAX || (isFine && lengthMs > FINE_WINDOW_MAX_MS))
    return refuseQuery("granularity", "The granularity is too fine for so long a window.");
  return seconds;
}

function chooseGranularity(lengthMs: number): number {
  const granularity = GRANULARITIES_SECONDS.find((seconds) => lengthMs / (seconds * 1_000) <= POINTS_WANTED);
  return granularity ?? lastItem(GRANULARITIES_SECONDS);
}

export function listSteps({ start, end }: TimeWindow, seconds: number): Date[] {
  const stepMs = seconds * 1_000;
  const steps: Date[] = [];
  for (let stepStart = floorTo(start, stepMs).getTime(); stepStart < end.getTime(); stepStart += stepMs)
    steps.push(new Date(stepStart));
  return steps;
}

export function floorTo(moment: Date, stepMs: number): Date {
  return new Date(Math.floor(moment.getTime() / stepMs) * stepMs);
}

/**
 * Splits a window into full hours in the middle and full minutes at both ends, so that it can be summed from few hourly and
 * minutely records. The first and the last minute are included.
 */
export function splitWindow({ start, end }: TimeWindow): { hours: TimeWindow; minutes: TimeWindow[] } {
  const from = floorTo(start, UNIT_MS.m);
  const to = new Date(Math.ceil(end.getTime() / UNIT_MS.m) * UNIT_MS.m);
  const firstHour = new Date(Math.ceil(from.getTime() / UNIT_MS.h) * UNIT_MS.h);
  const lastHour = floorTo(to, UNIT_MS.h);
  if (firstHour >= lastHour)
    return { hours: { start: firstHour, end: firstHour }, minutes: [{ start: from, end: to }] };
  const edges = [
    { start: from, end: firstHour },
    { start: lastHour, end: to },
  ];
  return {
    hours: { start: firstHour, end: lastHour },
    minutes: edges.filter(({ start, end }) => start < end),
  };
}
