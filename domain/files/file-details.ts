import {
  checkDescription,
  checkTagList,
  checkTags,
  DESCRIPTION_MAX,
  TAG_MAX,
  TAGS_MAX,
} from "#domain/files/file.ts";
import { isRefusal, type Refusal, type RefusalCode } from "#domain/refusal.ts";
import { listKeys, mapKeys } from "#domain/typed-keys.ts";

/**
 * What a person says about a file besides its name, its text and its language. A row is one detail: its value where nothing is said,
 * the rule for a value and the refusal of it, the rule for what is typed, and how a form shows it. Schemas, forms, the store and
 * exports go through the rows.
 */
type Detail<Value> = {
  none: Value;
  refusal: RefusalCode;
  check(value: Value): Value | Refusal;
  parse(typed: string): Value | Refusal;
  write(value: Value): string;
};
export type TextDetail = Detail<string> & { max: number };
export type ListDetail = Detail<string[]> & { max: number; itemMax: number };

const textDetail = (row: Pick<TextDetail, "max" | "refusal" | "check">): TextDetail => ({
  ...row,
  none: "",
  parse: row.check,
  write: (text) => text,
});

const listDetail = (row: Omit<ListDetail, "none" | "write">): ListDetail => ({
  ...row,
  none: [],
  write: (list) => list.join(", "),
});

export const FILE_DETAILS = {
  description: textDetail({
    max: DESCRIPTION_MAX,
    refusal: "description_too_long",
    check: checkDescription,
  }),
  tags: listDetail({
    max: TAGS_MAX,
    itemMax: TAG_MAX,
    refusal: "invalid_tags",
    check: (tags) => (tags.length === 0 ? tags : checkTagList(tags)),
    parse: checkTags,
  }),
};

export type DetailName = keyof typeof FILE_DETAILS;
export type FileDetails = { [Name in DetailName]: (typeof FILE_DETAILS)[Name]["none"] };
/** The details as a form has them. */
export type TypedDetails = Record<DetailName, string>;

export const DETAIL_NAMES = listKeys(FILE_DETAILS);

/** One value for each detail. */
export function mapDetails<Value>(make: (name: DetailName) => Value): Record<DetailName, Value> {
  return mapKeys(DETAIL_NAMES, make);
}

// Each detail has its own type of value, which the compiler cannot follow from name to name.
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
  // As above: a row writes the values of its own name.
  return mapDetails((name) => (FILE_DETAILS[name] as Detail<unknown>).write(details[name]));
}

/** The details that say something. */
export function omitEmptyDetails(details: Partial<FileDetails>): Partial<FileDetails> {
  const typed = writeDetails({ ...NO_DETAILS, ...details });
  return Object.fromEntries(
    DETAIL_NAMES.filter((name) => name in details && typed[name] !== "").map((name) => [name, details[name]]),
  );
}
