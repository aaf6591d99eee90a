import { type Definition, findDefinitions } from "#domain/search/definitions.ts";

/** A place in a text that its outline leads to. */
export type OutlineEntry = Definition;
type OutlineInput = { body: string; language: string };

/** Entries of an outline. Nobody reads more, and each is a link of the page. */
const ENTRIES_MAX = 500;
/** What lies deeper belongs to the thing around it. */
const DEPTH_MAX = 2;
/** A text with fewer parts is read without a list of them. */
const ENTRIES_MIN = 3;

/** The parts of a text; none where there are too few to list. */
export function findOutline({ body, language }: OutlineInput): OutlineEntry[] {
  const entries = findDefinitions(body, language).filter(({ depth }) => depth <= DEPTH_MAX);
  return entries.length < ENTRIES_MIN ? [] : entries.slice(0, ENTRIES_MAX);
}
