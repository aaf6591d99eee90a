import type { RequestContext } from "#app/http/request-context.ts";
import { THREAD_JOBS } from "#app/thread-jobs.ts";
import { type CodePlace, type ShownCode, showPlain } from "#app/viewers/code/code-part.ts";
import { grammarFor } from "#app/viewers/code/grammars.ts";
import type { ColouredCode } from "#app/viewers/code/highlight-code.ts";
import { type CodeMarks, hasMarks, type PackedCode, type PageCode } from "#app/viewers/code/large-code.ts";
import { isLanguage, type LanguageName } from "#domain/files/language.ts";
import { isOnePart, type ShownLines } from "#domain/text/text-part.ts";
import { digestKey } from "#platform/threads/result-cache.ts";
import type { GaveUp } from "#platform/threads/thread-job.ts";

/** Source code as HTML, one element per line, coloured where that is affordable; else why not, where anything could be coloured. */
export type HighlightedCode = PageCode & { shown: ShownLines; plainBecause: PlainReason | null };
type PlainReason = GaveUp | "too_long" | "too_nested";

type CodeContext = {
  services: Pick<RequestContext["services"], "threads">;
  largeHtml: RequestContext["largeHtml"];
};
type CodeToShow = { owner: string; body: string; language: string; marks?: CodeMarks } & CodePlace;

/** Up to here the lines of a text without colours are numbered at once: the worst, all line ends, takes 6 ms. */
const INLINE_MAX_LENGTH = 8 * 1024;
const NO_MARKS: CodeMarks = { range: null, noteLines: [] };

/** Colouring is done by a thread, and once for each part of a text. Where that is given up the text is shown as it is. */
export async function highlight(context: CodeContext, code: CodeToShow): Promise<HighlightedCode> {
  const { owner, marks = NO_MARKS } = code;
  const { plainBecause, shown, ...packed } = await colour(context, code);
  return moveLarge(context, { ...(await mark(context, owner, packed, marks)), shown, plainBecause });
}

type Coloured = ShownCode & { plainBecause: PlainReason | null };

async function colour(context: CodeContext, code: CodeToShow): Promise<Coloured> {
  const { owner, body, language: name } = code;
  const { threads } = context.services;
  const language: LanguageName = isLanguage(name) ? name : "text";
  const hasColours = grammarFor(language) !== null;
  const place = await findPlace(context, code);
  if (!hasColours && body.length <= INLINE_MAX_LENGTH)
    return { ...showPlain(body, language, place), plainBecause: null };
  const key = digestKey(language, body, JSON.stringify(place));
  const input = { body, language, ...place };
  const coloured = await threads.run(THREAD_JOBS.highlight, input, { owner, key });
  const shown = coloured.ok
    ? withReason(coloured.value)
    : { ...showPlain(body, language, place), plainBecause: coloured.reason };
  return hasColours ? shown : { ...shown, plainBecause: null };
}

/** Every line of a part is asked for by the part's first line, and a line of the first part by none: a part is made once for all its lines. */
async function findPlace(
  { services }: CodeContext,
  { owner, body, line, first, lineQuery = null }: CodeToShow,
): Promise<CodePlace> {
  const place = { first, lineQuery };
  if (line === undefined || isOnePart(body)) return place;
  const found = await services.threads.run(THREAD_JOBS.listPartStarts, body, { owner, key: digestKey(body) });
  if (!found.ok) return { ...place, line };
  const before = (first ?? 1) - 1;
  const start = found.value.findLast((at) => at <= line - before) ?? 1;
  return start === 1 ? place : { ...place, line: start + before };
}

/** What the highlighter answered, in the words of the page. */
function withReason({ colours, ...packed }: ColouredCode): Coloured {
  return { ...packed, plainBecause: colours === "all" ? null : colours };
}

/** Marks in large code. Small code is marked by the page itself. */
async function mark(
  { services }: CodeContext,
  owner: string,
  packed: PackedCode,
  marks: CodeMarks,
): Promise<PackedCode> {
  const { large, pieces } = packed;
  if (!large || !hasMarks(marks)) return packed;
  const key = digestKey(large.digest, JSON.stringify(marks));
  const input = { pieces, isReordered: large.isReordered, marks };
  const marked = await services.threads.run(THREAD_JOBS.markCode, input, { owner, key });
  return marked.ok ? marked.value : packed;
}

/** Leaves the bytes of large code with the request, where the page takes them from: a loader's data holds its digest alone. */
function moveLarge<Code extends PackedCode>(
  { largeHtml }: Pick<CodeContext, "largeHtml">,
  code: Code,
): Omit<Code, "pieces"> {
  const { pieces, ...rest } = code;
  if (rest.large) largeHtml.set(rest.large.digest, pieces);
  return rest;
}

/** Code that another job has had coloured. */
export function showColoured(context: CodeContext, coloured: ColouredCode): HighlightedCode {
  return moveLarge(context, withReason(coloured));
}
