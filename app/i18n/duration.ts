import { isolateLtr } from "#app/i18n/isolate.ts";
import type { Locale } from "#domain/locale.ts";
import { MINUTE_MS, SECOND_MS } from "#domain/time/durations.ts";

const UNITS: Record<Locale, { second: string; minute: string }> = {
  en: { second: "s", minute: "min" },
  he: { second: "שנ׳", minute: "דק׳" },
};

export function writeDuration(locale: Locale, ms: number): string {
  const { second, minute } = UNITS[locale];
  const short = `${Math.round(ms)} ms`;
  if (Math.round(ms) < SECOND_MS) return locale === "en" ? short : isolateLtr(short);
  if (ms < 2 * MINUTE_MS) return `${Number((ms / SECOND_MS).toFixed(1))} ${second}`;
  return `${Math.round(ms / MINUTE_MS)} ${minute}`;
}
