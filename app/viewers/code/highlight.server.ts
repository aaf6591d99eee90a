import { type CodePlace, type ShownCode, toPlainCode } from "#app/viewers/code/code-part.ts";
import { findGrammar } from "#app/viewers/code/grammars.ts";
import type { ColouredCode } from "#app/viewers/code/highlight-code.ts";
import { type CodeMarks, hasMarks, type PackedCode, type PageCode } from "#app/viewers/code/large-code.ts";
import { VIEWER_JOBS } from "#app/viewers/viewer-jobs.ts";
import type { RequestContext } from "#app/web/request-context.ts";
import { isLanguage, type LanguageName } from "#domain/files/language.ts";
import { fitsOnePart, type ShownLines } from "#domain/text/text-part.ts";
import { digestKey } from "#platform/threads/result-cache.ts";
import type { GaveUp } from "#platform/threads/thread-job.ts";

/** Code as HTML, one element per line, with the reason if it could have colours but has none. */
export type HighlightedCode = PageCode & { shown: ShownLines; plainBecause: PlainReason | null };
type PlainReason = GaveUp | "too_long" | "too_nested";

type CodeContext = {
  services: Pick<RequestContext["services"], "threads">;
  largeHtml: RequestContext["largeHtml"];
};
type CodeToShow = { owner: string; body: string; language: string; marks?: CodeMarks } & CodePlace;

/** A plain text up to this length is numbered without a thread: the worst case, all line ends, takes 6 ms. */
const INLINE_MAX_LENGTH = 8 * 1024;
const NO_MARKS: CodeMarks = { range: null, noteLines: [] };

/** Colours code on a thread, once for each part of a text. If that fails, the text is shown plain. */
export async function highlight(context: CodeContext, code: CodeToShow): Promise<HighlightedCode> {
  const { owner, marks = NO_MARKS } = code;
  const { plainBecause, shown, ...packed } = await colourOnThread(context, code);
  return movePiecesToRequest(context, {
    ...(await addMarks(context, owner, packed, marks)),
    shown,
    plainBecause,
  });
}

type HighlightedPart = ShownCode & { plainBecause: PlainReason | null };

async function colourOnThread(context: CodeContext, code: CodeToShow): Promise<HighlightedPart> {
  const { owner, body, language: name } = code;
  const { threads } = context.services;
  const language: LanguageName = isLanguage(name) ? name : "text";
  const hasColours = findGrammar(language) !== null;
  const placement = await findPartPlace(context, code);
  if (!hasColours && body.length <= INLINE_MAX_LENGTH)
    return { ...toPlainCode(body, language, placement), plainBecause: null };
  const key = digestKey(language, body, JSON.stringify(placement));
  const input = { body, language, ...placement };
  const coloured = await threads.run(VIEWER_JOBS.highlight, input, { owner, key });
  const shown = coloured.ok
    ? toHighlightedPart(coloured.value)
    : { ...toPlainCode(body, language, placement), plainBecause: coloured.reason };
  return hasColours ? shown : { ...shown, plainBecause: null };
}

/**
 * Finds the part that has the line, and names it by its first line (the first part by none), so that a part is rendered once for all its
 * lines.
 */
async function findPartPlace(
  { services }: CodeContext,
  { owner, body, line, first, lineQuery = null }: CodeToShow,
): Promise<CodePlace> {
  const placement = { first, lineQuery };
  if (line === undefined || fitsOnePart(body)) return placement;
  const parts = await services.threads.run(VIEWER_JOBS.listPartStarts, body, { owner, key: digestKey(body) });
  if (!parts.ok) return { ...placement, line };
  const before = (first ?? 1) - 1;
  const start = parts.value.findLast((first) => first <= line - before) ?? 1;
  return start === 1 ? placement : { ...placement, line: start + before };
}

/** Translates the highlighter's answer into the page's reason. */
function toHighlightedPart({ colours, ...packed }: ColouredCode): HighlightedPart {
  return { ...packed, plainBecause: colours === "all" ? null : colours };
}

/** Adds the marks to large code. Small code is marked by the page. */
async function addMarks(
  { services }: CodeContext,
  owner: string,
  packed: PackedCode,
  marks: CodeMarks,
): Promise<PackedCode> {
  const { large, pieces } = packed;
  if (!large || !hasMarks(marks)) return packed;
  const key = digestKey(large.digest, JSON.stringify(marks));
  const input = { pieces, isReordered: large.isReordered, marks };
  const result = await services.threads.run(VIEWER_JOBS.markCode, input, { owner, key });
  return result.ok ? result.value : packed;
}

/** Moves the bytes of large code to the request, from which the page is filled; a loader's data holds only the digest. */
function movePiecesToRequest<Code extends PackedCode>(
  { largeHtml }: Pick<CodeContext, "largeHtml">,
  code: Code,
): Omit<Code, "pieces"> {
  const { pieces, ...page } = code;
  if (page.large) largeHtml.set(page.large.digest, pieces);
  return page;
}

/** Shows code that another job has coloured. */
export function toHighlightedCode(context: CodeContext, coloured: ColouredCode): HighlightedCode {
  return movePiecesToRequest(context, toHighlightedPart(coloured));
}
