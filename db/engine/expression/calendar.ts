/**
 * The Gregorian calendar without end in both directions. Days are counted from 1970-01-01; a month or day
 * outside its usual range means that much before or after.
 */
import { fail } from "../values/errors.ts";

export const DAY_SECONDS = 86_400;

interface CivilDate {
  year: number;
  month: number;
  day: number;
}

/** The 400-year cycle starts on 1 March 0000, which puts the leap day at the end of its year. */
const CYCLE_DAYS = 146_097;
const EPOCH_SHIFT_DAYS = 719_468;

export function daysOf(year: number, month: number, day: number): number {
  const shifted = year + Math.floor((month - 1) / 12);
  const monthInYear = ((((month - 1) % 12) + 12) % 12) + 1;
  const from = monthInYear <= 2 ? shifted - 1 : shifted;
  const cycle = Math.floor(from / 400);
  const yearOfCycle = from - cycle * 400;
  const dayOfYear = Math.floor((153 * (monthInYear + (monthInYear > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfCycle =
    yearOfCycle * 365 + Math.floor(yearOfCycle / 4) - Math.floor(yearOfCycle / 100) + dayOfYear;
  return cycle * CYCLE_DAYS + dayOfCycle - EPOCH_SHIFT_DAYS;
}

export function civilDate(days: number): CivilDate {
  const shifted = days + EPOCH_SHIFT_DAYS;
  const cycle = Math.floor(shifted / CYCLE_DAYS);
  const dayOfCycle = shifted - cycle * CYCLE_DAYS;
  const yearOfCycle = Math.floor(
    (dayOfCycle -
      Math.floor(dayOfCycle / 1460) +
      Math.floor(dayOfCycle / 36_524) -
      Math.floor(dayOfCycle / 146_096)) /
      365,
  );
  const dayOfYear =
    dayOfCycle - (365 * yearOfCycle + Math.floor(yearOfCycle / 4) - Math.floor(yearOfCycle / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return { year: yearOfCycle + cycle * 400 + (month <= 2 ? 1 : 0), month, day };
}

export function daysInMonth(year: number, month: number): number {
  return daysOf(year, month + 1, 1) - daysOf(year, month, 1);
}

/** 1 is Monday, 7 is Sunday. */
export function isoDayOfWeek(days: number): number {
  return ((((days + 3) % 7) + 7) % 7) + 1;
}

/** 1 is the first of January. */
export function dayOfYear(days: number): number {
  return days - daysOf(civilDate(days).year, 1, 1) + 1;
}

/** Weeks start on Sunday; the days before the first Sunday are week 0. */
export function weekOfYear(days: number): number {
  const sundayFirst = (isoDayOfWeek(days) % 7) + 1;
  return Math.floor((dayOfYear(days) - sundayFirst + 7) / 7);
}

/** An ISO week belongs to the year that its Thursday is in. */
export function isoWeek(days: number): { year: number; week: number } {
  const thursday = days - isoDayOfWeek(days) + 4;
  const { year } = civilDate(thursday);
  return { year, week: Math.floor((thursday - daysOf(year, 1, 1)) / 7) + 1 };
}

export function daysOfIsoWeek(year: number, week: number, day: number): number {
  const fourth = daysOf(year, 1, 4);
  return fourth - isoDayOfWeek(fourth) + (week - 1) * 7 + day;
}

export function floorDivide(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  return value < 0n && quotient * divisor !== value ? quotient - 1n : quotient;
}

/** A component of a formatted date: never negative, never above 9999. */
export function padded(value: number, width: number): string {
  if (value < 0 || value > 9999)
    fail(
      18537,
      `Could not convert date to string: date component was outside the supported range of 0-9999: ${value}`,
    );
  return String(value).padStart(width, "0");
}

/** As `2020-02-29T23:59:59.123Z`. */
export function isoText(ms: bigint): string {
  const seconds = floorDivide(ms, 1000n);
  const days = Number(floorDivide(seconds, BigInt(DAY_SECONDS)));
  const { year, month, day } = civilDate(days);
  const second = Number(seconds) - days * DAY_SECONDS;
  const time = [second / 3600, (second / 60) % 60, second % 60].map((part) => padded(Math.floor(part), 2));
  const millisecond = padded(Number(ms - seconds * 1000n), 3);
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}T${time.join(":")}.${millisecond}Z`;
}
