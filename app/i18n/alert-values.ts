import { writeDuration } from "#app/i18n/duration.ts";
import { isolate, isolateLtr } from "#app/i18n/isolate.ts";
import type { AlertMetadata } from "#domain/alerts/alert.ts";
import type { Locale } from "#domain/locale.ts";

type Value = AlertMetadata[string] | undefined;

export const numberIn = (value: Value) => (typeof value === "number" ? value : 0);
export const codeIn = (value: Value) => isolateLtr(`${value ?? ""}`);
export const percentIn = (share: Value) => isolateLtr(`${Math.round(numberIn(share) * 1_000) / 10}%`);
export const durationIn = (locale: Locale, value: Value) => isolate(writeDuration(locale, numberIn(value)));

export const nameIn = (code: Value, names: Readonly<Record<string, string>>) =>
  Object.hasOwn(names, `${code}`) ? names[`${code}`] : codeIn(code);
