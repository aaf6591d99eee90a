import { type Definition, findDefinitions } from "#domain/search/definitions.ts";

/** A place in a text that its outline leads to. */
export type OutlineEntry = Definition;
/** `endLine` is the line of the first part that is not listed; null where all are. */
export type Outline = { entries: OutlineEntry[]; total: number; endLine: number | null };
type OutlineInput = { body: string; language: string };

/** Entries of an outline. Nobody reads more, and each is a link of the page. */
const ENTRIES_MAX = 500;
/** What lies deeper belongs to the thing around it. */
const DEPTH_MAX = 2;
/** A text with fewer parts is read without a list of them. */
const ENTRIES_MIN = 3;

export const NO_OUTLINE: Outline = { entries: [], total: 0, endLine: null };

/** The parts of a text; none where there are too few to list. */
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
