import type { Db } from "#db/client.ts";
import {
  type AnchorToMake,
  createPlacedAnchor,
  type KeptAnchor,
  locateByAnchors,
  locateNotesInTexts,
  type NotePlace,
  type NotesToLocate,
  toLostPlace,
} from "#domain/notes/note-locating.ts";
import { type SuggestedLines, suggestLines } from "#domain/notes/suggested-lines.ts";
import { PAGE_MS } from "#platform/threads/page-time.ts";
import { digestKey } from "#platform/threads/result-cache.ts";
import type { ThreadJob } from "#platform/threads/thread-job.ts";

/** Work on the texts of notes. Processes that serve pages do it on their threads; others do it directly. */
const WORK = { module: "#domain/notes/note-locating.ts", processorMs: PAGE_MS, maxOutput: 4 * 1024 * 1024 };

type MemoryToLocate = Parameters<typeof locateByAnchors>[0];
type LinesToSuggest = Parameters<typeof suggestLines>[0];

export const ANCHOR_JOBS: {
  make: ThreadJob<AnchorToMake, KeptAnchor | null>;
  locate: ThreadJob<NotesToLocate, NotePlace[]>;
  recall: ThreadJob<MemoryToLocate, NotePlace[]>;
  suggest: ThreadJob<LinesToSuggest, SuggestedLines[][]>;
} = {
  make: { name: "anchor_make", run: "createPlacedAnchor", ...WORK },
  locate: { name: "anchor_locate", run: "locateNotesInTexts", ...WORK },
  recall: { name: "anchor_recall", run: "locateByAnchors", ...WORK },
  suggest: {
    ...WORK,
    name: "anchor_suggest",
    module: "#domain/notes/suggested-lines.ts",
    run: "suggestLines",
  },
};

/** Shorter texts are processed directly: the worst measured text, all headings, takes 3 ms, and 6 ms the first time. */
const INLINE_MAX_LENGTH = 8_000;

/** Returns the anchor of a note's lines; null if the text has no such lines. A heading that takes too long to find has none. */
export async function createAnchorOnThread(
  { threads }: Db,
  owner: string,
  input: AnchorToMake,
): Promise<KeptAnchor | null> {
  if (!threads || input.body.length <= INLINE_MAX_LENGTH) return createPlacedAnchor(input);
  const outcome = await threads.run(ANCHOR_JOBS.make, input, { owner });
  if (outcome.ok) return outcome.value;
  return input.fields.line_start === null ? null : createPlacedAnchor(input);
}

type NotesToRead = Pick<NotesToLocate, "version" | "notes"> & {
  /** Identifies the texts, which are only read if the places are not cached. */
  textsKey: string;
  readTexts: () => Promise<NotesToLocate["texts"]>;
};

/** Returns the places of notes, in order. If locating is given up, no note has a place. */
export async function locateNotesOnThread(
  { threads }: Db,
  owner: string,
  { version, notes, textsKey, readTexts }: NotesToRead,
): Promise<NotePlace[]> {
  const readInput = async () => ({ texts: await readTexts(), version, notes });
  if (!threads) return locateNotesInTexts(await readInput());
  const key = digestKey(owner, textsKey, JSON.stringify(notes));
  const outcome = await threads.run(ANCHOR_JOBS.locate, readInput, { owner, key });
  return outcome.ok ? outcome.value : notes.map(({ anchor }) => toLostPlace(anchor, version));
}

export async function locateByAnchorsOnThread(
  { threads }: Db,
  owner: string,
  input: MemoryToLocate,
): Promise<NotePlace[]> {
  if (!threads) return locateByAnchors(input);
  const key = digestKey(input.text, JSON.stringify(input.anchors));
  const outcome = await threads.run(ANCHOR_JOBS.recall, input, { owner, key });
  return outcome.ok ? outcome.value : input.anchors.map((anchor) => toLostPlace(anchor, input.version));
}

/** Suggests lines for lost notes, in order; none if the search is given up. */
export async function suggestLinesOnThread(
  { threads }: Db,
  owner: string,
  input: LinesToSuggest,
): Promise<SuggestedLines[][]> {
  if (!threads) return suggestLines(input);
  const key = digestKey(input.text, JSON.stringify(input.anchors));
  const outcome = await threads.run(ANCHOR_JOBS.suggest, input, { owner, key });
  return outcome.ok ? outcome.value : input.anchors.map(() => []);
}
