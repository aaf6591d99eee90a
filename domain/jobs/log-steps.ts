import { listKeys } from "#domain/typed-keys.ts";

/**
 * Steps that runs write into their logs, in English like all of a log. Pages recognise them and show them in the reader's
 * language. A value in braces has no spaces.
 */
export const LOG_STEPS = {
  fetching: "Fetching from {host}",
  fetched: "Fetched commit {commit} of {branch}",
  checkingZip: "Checking the zip",
  importingZip: "Importing, attempt {attempt}",
} as const;

export type LogStep = keyof typeof LOG_STEPS;
type StepValues = Readonly<Record<string, string>>;

const fill = (template: string, values: StepValues) =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");

export const writeStep = (step: LogStep, values: StepValues = {}): string => fill(LOG_STEPS[step], values);

const PATTERNS = listKeys(LOG_STEPS).map((step) => ({
  step,
  pattern: new RegExp(`^${LOG_STEPS[step].replace(/\{(\w+)\}/g, "(?<$1>\\S+)")}$`),
}));

export function translateStep(line: string, words: Readonly<Record<LogStep, string>>): string {
  for (const { step, pattern } of PATTERNS) {
    const match = pattern.exec(line);
    if (match) return fill(words[step], match.groups ?? {});
  }
  return line;
}
