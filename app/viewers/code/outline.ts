import { type Definition, findDefinitions } from "#domain/search/definitions.ts";

export type OutlineEntry = Definition;
/** `endLine` is the line of the first definition that is not listed; null if all are. */
export type Outline = { entries: OutlineEntry[]; total: number; endLine: number | null };
type OutlineInput = { body: string; language: string };

/** Nobody reads more, and each entry is a link on the page. */
const ENTRIES_MAX = 500;
/** Deeper definitions belong to the one around them. */
const DEPTH_MAX = 2;
/** A text with fewer definitions needs no list of them. */
const ENTRIES_MIN = 3;

export const NO_OUTLINE: Outline = { entries: [], total: 0, endLine: null };

/** Finds the definitions of a text; none if they are too few to list. */
export function findOutline({ body, language }: OutlineInput): Outline {
  const parts = findDefinitions(body, language, Number.POSITIVE_INFINITY).filter(
    ({ depth }) => depth <= DEPTH_MAX,
  );
  if (parts.length < ENTRIES_MIN) return NO_OUTLINE;
  return {
    entries: parts.slice(0, ENTRIES_MAX),
    total: parts.length,
    endLine: parts[ENTRIES_MAX]?.line ?? null,
  };
}
