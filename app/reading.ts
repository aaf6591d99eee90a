import { hasItem, listKeys } from "#domain/typed-keys.ts";

export const READING_VALUES = {
  /** `auto` wraps prose while it is edited, and never code. */
  code_wrap: ["auto", "off", "on"],
  code_size: ["small", "normal", "large", "larger"],
  tab_width: ["2", "4", "8"],
  code_light: ["standard", "blue", "green"],
  code_dark: ["standard", "blue", "orange"],
} as const;

type ReadingName = keyof typeof READING_VALUES;
export type Reading = { [Name in ReadingName]: (typeof READING_VALUES)[Name][number] };

export const READING_NAMES = listKeys(READING_VALUES);

export const DEFAULT_READING: Reading = {
  code_wrap: "auto",
  code_size: "normal",
  tab_width: "4",
  code_light: "standard",
  code_dark: "standard",
};

/** The height of a line of code in each size, as in `--line-of-code`. */
export const LINE_REM: Record<Reading["code_size"], number> = {
  small: 1.5,
  normal: 1.5,
  large: 1.625,
  larger: 2,
};

export function parseReading(chosen: (name: ReadingName) => string | undefined): Reading {
  const choose = <Value>(values: readonly Value[], name: ReadingName, otherwise: Value): Value => {
    const value = chosen(name);
    return hasItem(values, value) ? value : otherwise;
  };
  return {
    code_wrap: choose(READING_VALUES.code_wrap, "code_wrap", DEFAULT_READING.code_wrap),
    code_size: choose(READING_VALUES.code_size, "code_size", DEFAULT_READING.code_size),
    tab_width: choose(READING_VALUES.tab_width, "tab_width", DEFAULT_READING.tab_width),
    code_light: choose(READING_VALUES.code_light, "code_light", DEFAULT_READING.code_light),
    code_dark: choose(READING_VALUES.code_dark, "code_dark", DEFAULT_READING.code_dark),
  };
}

export const wrapsLines = (chosen: string, isProse: boolean): boolean =>
  chosen === "on" || (chosen === "auto" && isProse);

/** Returns the page's attributes for its styles. Default values need none. */
export function toReadingAttributes(reading: Reading): Record<string, string> {
  return Object.fromEntries(
    READING_NAMES.filter((name) => reading[name] !== DEFAULT_READING[name]).map((name) => [
      `data-${name.replace("_", "-")}`,
      reading[name],
    ]),
  );
}
