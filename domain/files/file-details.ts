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
 * A detail is something that a person can state about a file besides name, text and language. A row holds the empty value, the rule for a
 * value with its refusal, the parser of typed text and the writer for forms. Schemas, forms, the store and exports all use these rows.
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

const createListDetail = (row: Omit<ListDetail, "none" | "write">): ListDetail => ({
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
  tags: createListDetail({
    max: TAGS_MAX,
    itemMax: TAG_MAX,
    refusal: "invalid_tags",
    check: (tags) => (tags.length === 0 ? tags : checkTagList(tags)),
    parse: checkTags,
  }),
};

export type DetailName = keyof typeof FILE_DETAILS;
export type FileDetails = { [Name in DetailName]: (typeof FILE_DETAILS)[Name]["none"] };
export type TypedDetails = Record<DetailName, string>;

export const DETAIL_NAMES = listKeys(FILE_DETAILS);

export function mapDetails<Value>(make: (name: DetailName) => Value): Record<DetailName, Value> {
  return mapKeys(DETAIL_NAMES, make);
}

// Each detail has its own type of value, which the compiler cannot follow by name.
export const NO_DETAILS = mapDetails((name) => FILE_DETAILS[name].none) as FileDetails;

export function pickDetails(source: Partial<FileDetails>): Partial<FileDetails> {
  return Object.fromEntries(
    DETAIL_NAMES.filter((name) => source[name] !== undefined).map((name) => [name, source[name]]),
  );
}

/** Parses typed details by their rules; details that were not typed are left out. */
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

export function toTypedDetails(details: FileDetails): TypedDetails {
  // The compiler cannot follow that a row writes the values of its own name.
  return mapDetails((name) => (FILE_DETAILS[name] as Detail<unknown>).write(details[name]));
}

export function omitEmptyDetails(details: Partial<FileDetails>): Partial<FileDetails> {
  const typed = toTypedDetails({ ...NO_DETAILS, ...details });
  return Object.fromEntries(
    DETAIL_NAMES.filter((name) => name in details && typed[name] !== "").map((name) => [name, details[name]]),
  );
}
