import { checkDescription, checkTags } from "#domain/files/file.ts";
import { isRefusal, type Refusal } from "#domain/refusal.ts";
import { listKeys, mapKeys } from "#domain/typed-keys.ts";

/**
 * What a person says about a file besides its name, its text and its language. A row is one detail: its value where nothing is said,
 * the rule for what is typed, and how a form shows it. Forms, the store and exports go through the rows.
 */
type Detail<Value> = {
  none: Value;
  parse(typed: string): Value | Refusal;
  write(value: Value): string;
};

const detail = <Value>(row: Detail<Value>) => row;

const FILE_DETAILS = {
  description: detail<string>({ none: "", parse: checkDescription, write: (text) => text }),
  tags: detail<string[]>({ none: [], parse: checkTags, write: (tags) => tags.join(", ") }),
};

type DetailName = keyof typeof FILE_DETAILS;
export type FileDetails = { [Name in DetailName]: (typeof FILE_DETAILS)[Name]["none"] };
/** The details as a form has them. */
export type TypedDetails = Record<DetailName, string>;

export const DETAIL_NAMES = listKeys(FILE_DETAILS);

/** One value for each detail. */
export function mapDetails<Value>(make: (name: DetailName) => Value): Record<DetailName, Value> {
  return mapKeys(DETAIL_NAMES, make);
}

export const NO_DETAILS = mapDetails((name) => FILE_DETAILS[name].none) as FileDetails;

/** The details that are given among other things. */
export function pickDetails(given: Partial<FileDetails>): Partial<FileDetails> {
  return Object.fromEntries(
    DETAIL_NAMES.filter((name) => given[name] !== undefined).map((name) => [name, given[name]]),
  );
}

/** What was typed, by the rule of each detail; one that was not typed is left out. */
export function parseDetails(typed: Partial<TypedDetails>): Partial<FileDetails> | Refusal {
  const details: Record<string, unknown> = {};
  for (const name of DETAIL_NAMES) {
    const text = typed[name];
    if (text === undefined) continue;
    const value = FILE_DETAILS[name].parse(text);
    if (isRefusal(value)) return value;
    details[name] = value;
  }
  return details;
}

export function writeDetails(details: FileDetails): TypedDetails {
  return mapDetails((name) => (FILE_DETAILS[name] as Detail<unknown>).write(details[name]));
}

/** The details that say something. */
export function omitEmptyDetails(details: Partial<FileDetails>): Partial<FileDetails> {
  const typed = writeDetails({ ...NO_DETAILS, ...details });
  return Object.fromEntries(
    DETAIL_NAMES.filter((name) => name in details && typed[name] !== "").map((name) => [name, details[name]]),
  );
}
