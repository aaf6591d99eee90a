/** A piece of rendered text, and the heading that it ends with; null for the last. */
type ProseCut = { html: string; heading: string | null };

const TAG = /<(\/?)([a-z][a-z0-9]*)([^>]*)>/g;
const EMPTY = new Set(["br", "hr", "img", "input", "wbr", "col"]);
const HEADING = /^h[1-6]$/;

/**
 * Cuts sanitised HTML after the given headings, only between top-level elements, so that each piece is complete; a nested heading is
 * skipped. A serialiser wrote every tag, so angle brackets of values are always inside quotes.
 */
export function cutAfterHeadings(html: string, headingIds: ReadonlySet<string>): ProseCut[] {
  const cuts: ProseCut[] = [];
  let [depth, start] = [0, 0];
  let heading: string | null = null;
  for (const { 0: tag, 1: closing, 2: name = "", 3: attributes = "", index } of html.matchAll(TAG)) {
    if (EMPTY.has(name)) continue;
    depth += closing ? -1 : 1;
    if (depth < 0) return [{ html, heading: null }];
    if (!closing && depth === 1 && HEADING.test(name)) heading = readId(attributes);
    if (!closing || depth !== 0 || heading === null || !HEADING.test(name)) continue;
    if (headingIds.has(heading)) {
      const end = index + tag.length;
      cuts.push({ html: html.slice(start, end), heading });
      start = end;
    }
    heading = null;
  }
  return [...cuts, { html: html.slice(start), heading: null }];
}

const ENTITIES: Record<string, string> = { "&amp;": "&", "&quot;": '"', "&lt;": "<", "&gt;": ">" };

function readId(attributes: string): string | null {
  const value = /\bid="([^"]*)"/.exec(attributes)?.[1];
  return value === undefined
    ? null
    : value.replace(/&(?:amp|quot|lt|gt);/g, (entity) => ENTITIES[entity] ?? entity);
}
