import { amount } from "#app/i18n/amount.ts";
import { isolateLtr } from "#app/i18n/isolate.ts";
import type { AlertMetadata } from "#domain/alerts/alert.ts";

/** The values an alert carries, as they stand in its text. */
type Value = AlertMetadata[string] | undefined;

export const numberIn = (value: Value) => (typeof value === "number" ? value : 0);
export const codeIn = (value: Value) => isolateLtr(`${value ?? ""}`);
export const percentIn = (share: Value) => isolateLtr(`${Math.round(numberIn(share) * 1_000) / 10}%`);
export const millisecondsIn = (value: Value) => isolateLtr(`${amount(Math.round(numberIn(value)))} ms`);

/** The name that a dictionary has for a code; the code itself where it has none. */
export const nameIn = (code: Value, names: Readonly<Record<string, string>>) =>
  Object.hasOwn(names, `${code}`) ? names[`${code}`] : codeIn(code);
