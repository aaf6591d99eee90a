import type { Db } from "#db/client.ts";
import {
  type AnchorToMake,
  type KeptAnchor,
  locateByMemory,
  locateNotesIn,
  lostNote,
  makeAnchor,
  type NotePlace,
  type NotesToLocate,
} from "#domain/notes/note-locating.ts";
import { type SuggestedLines, suggestLines } from "#domain/notes/suggested-lines.ts";
import { PAGE_MS } from "#platform/threads/page-time.ts";
import { digestKey } from "#platform/threads/result-cache.ts";
import type { ThreadJob } from "#platform/threads/thread-job.ts";

/** Work on the texts that notes are on. Processes that serve pages do it on their threads; others do it at once. */
const WORK = { module: "#domain/notes/note-locating.ts", processorMs: PAGE_MS, maxOutput: 4 * 1024 * 1024 };

type MemoryToLocate = Parameters<typeof locateByMemory>[0];
type LinesToSuggest = Parameters<typeof suggestLines>[0];

export const ANCHOR_JOBS: {
  make: ThreadJob<AnchorToMake, KeptAnchor | null>;
  locate: ThreadJob<NotesToLocate, NotePlace[]>;
  recall: ThreadJob<MemoryToLocate, NotePlace[]>;
  suggest: ThreadJob<LinesToSuggest, SuggestedLines[][]>;
} = {
  make: { name: "anchor_make", run: "makeAnchor", ...WORK },
  locate: { name: "anchor_locate", run: "locateNotesIn", ...WORK },
  recall: { name: "anchor_recall", run: "locateByMemory", ...WORK },
  suggest: {
    ...WORK,
    name: "anchor_suggest",
    module: "#domain/notes/suggested-lines.ts",
    run: "suggestLines",
  },
};

/** Shorter texts are read at once: the worst that was measured, all headings, takes 3 ms, and 6 ms the first time. */
const INLINE_MAX_LENGTH = 8_000;

/** What a note remembers of its lines; null where the text has no such lines. A heading that takes too long to find is none. */
export async function makeAnchorApart(
  { threads }: Db,
  owner: string,
  input: AnchorToMake,
): Promise<KeptAnchor | null> {
  if (!threads || input.body.length <= INLINE_MAX_LENGTH) return makeAnchor(input);
  const made = await threads.run(ANCHOR_JOBS.make, input, { owner });
  if (made.ok) return made.value;
  return input.fields.line_start === null ? null : makeAnchor(input);
}

type NotesToRead = Pick<NotesToLocate, "version" | "notes"> & {
  /** Tells the texts from all others; they are only read where the places are not remembered. */
  textsKey: string;
  readTexts: () => Promise<NotesToLocate["texts"]>;
};

/** The places of notes, in order; where finding them is given up, none of them has one. */
export async function locateApart(
  { threads }: Db,
  owner: string,
  { version, notes, textsKey, readTexts }: NotesToRead,
): Promise<NotePlace[]> {
  const readInput = async () => ({ texts: await readTexts(), version, notes });
  if (!threads) return locateNotesIn(await readInput());
  const key = digestKey(owner, textsKey, JSON.stringify(notes));
  const located = await threads.run(ANCHOR_JOBS.locate, readInput, { owner, key });
  return located.ok ? located.value : notes.map(({ anchor }) => lostNote(anchor, version));
}

export async function locateByMemoryApart(
  { threads }: Db,
  owner: string,
  input: MemoryToLocate,
): Promise<NotePlace[]> {
  if (!threads) return locateByMemory(input);
  const key = digestKey(input.text, JSON.stringify(input.anchors));
  const located = await threads.run(ANCHOR_JOBS.recall, input, { owner, key });
  return located.ok ? located.value : input.anchors.map((anchor) => lostNote(anchor, input.version));
}

/** Places that lost notes could be at, in order; where finding them is given up, none. */
export async function suggestApart(
  { threads }: Db,
  owner: string,
  input: LinesToSuggest,
): Promise<SuggestedLines[][]> {
  if (!threads) return suggestLines(input);
  const key = digestKey(input.text, JSON.stringify(input.anchors));
  const suggested = await threads.run(ANCHOR_JOBS.suggest, input, { owner, key });
  return suggested.ok ? suggested.value : input.anchors.map(() => []);
}
