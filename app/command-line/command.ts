import { type Output, usageFailure } from "./output.ts";

export type OptionValues = Record<string, string | boolean | undefined>;

export type Call = {
  output: Output;
  words: string[];
  options: OptionValues;
  commands: Readonly<Record<string, Command>>;
};

export function toNumber(
  value: string | boolean | undefined,
  name: string,
  { least = 0, most = Number.POSITIVE_INFINITY }: { least?: number; most?: number } = {},
) {
  if (value === undefined) return undefined;
  if (!/^\d+(\.\d+)?$/.test(String(value))) throw usageFailure(`${name} takes a number.`);
  if (Number(value) > most) throw usageFailure(`${name} takes ${most} at most.`);
  if (Number(value) < least) throw usageFailure(`${name} takes ${least} or more.`);
  return Number(value);
}

export type OptionSpec = { type: "boolean" | "string"; short?: string; help: string; value?: string };

export type Command = {
  /** `<word>` has to be there, `[word]` may be, and `…` stands for any number. */
  usage: string;
  summary: string;
  options?: Record<string, OptionSpec>;
  more?: string;
  takesText?: boolean;
  hidden?: boolean;
  act: (call: Call) => Promise<number>;
};
