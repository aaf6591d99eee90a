import { orThrow } from "#tests/support/test-runs/or-throw.ts";
/**
 * One person's sticky notes, with the person's whole quota of 1,000 notes there: the
 * list of a file's 50 notes, the same after the file was edited, a batch of 50, a ticked task, a new note and searches.
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runBatch } from "#app/notes/note-batch.server.ts";
import { notesOnWire } from "#app/notes/note-wire.server.ts";
import { connectMongo, type Db } from "#db/client.ts";
import { saveFile } from "#db/files/files.server.ts";
import { ensureIndexes } from "#db/indexes/index-builds.ts";
import { removeNote } from "#db/notes/deleted-notes.server.ts";
import { toggleTask } from "#db/notes/note-tasks.server.ts";
import { createNote, findNote, listNotes } from "#db/notes/notes.server.ts";
import { searchNotes } from "#db/search/note-search.server.ts";
import type { NoteTarget } from "#domain/notes/note.ts";
import { noteBatch } from "#domain/notes/note-request.ts";
import { checkDraft } from "#domain/notes/note-schema.ts";
import { itemAt, required } from "#domain/required.ts";
import { checkBySchema } from "#domain/schema.ts";
import { startDocuments } from "./documents.ts";
import type { Figure } from "./figures.ts";
import { ms, type Timing, time } from "./measure.ts";
import { quick } from "./options.ts";

const OWNER = "1";
const NOW = new Date("2026-11-14T12:00:00.000Z");
const CALLS = quick ? 15 : 60;
const QUOTA = 1_000;
const FILES = 20;
const ON_A_FILE = QUOTA / FILES;
const SEARCHES: Record<string, string> = {
  "search: every note": "note",
  "search: one note": "number 777 ",
  "search: Hebrew": "תזכורת",
  "search: no hit": "quetzalcoatl",
};

const text = (i: number) =>
  `note number ${i} \n- [ ] first\n- [x] second\n${"words about the code, תזכורת קטנה. ".repeat(12)}`;
const body = Array.from({ length: 400 }, (_, i) => `const value${i} = compute(${i});`).join("\n");

async function fill(db: Db): Promise<NoteTarget[]> {
  const targets: NoteTarget[] = [];
  for (let f = 0; f < FILES; f += 1) {
    const { file } = orThrow(await saveFile(db, OWNER, { file_name: `f${f}.ts`, body }, NOW));
    targets.push({ kind: "file", file_id: file.id });
  }
  for (let i = 0; i < QUOTA; i += 1) {
    const fields = orThrow(checkDraft({ content: text(i), line_start: 1 + (i % 400) }));
    orThrow(
      await createNote(db, OWNER, {
        target: itemAt(targets, i % FILES),
        fields,
        quota: { maxPerUser: QUOTA },
        now: NOW,
      }),
    );
  }
  return targets;
}

/** What one trip to the store takes: every other row is told as so many of it. */
const COMPARED = "find one document, to compare";

async function measure(db: Db, targets: NoteTarget[]): Promise<Record<string, Timing>> {
  const found: Record<string, Timing> = {};
  const target = itemAt(targets, 0);
  const known = required(await db.notes.findOne({ user_id: OWNER }))._id;
  found[COMPARED] = await time(CALLS, () => db.notes.findOne({ _id: known }));
  const list = async () => notesOnWire(db, OWNER, orThrow(await listNotes(db, OWNER, target)));
  found[`list of a file's ${ON_A_FILE} notes`] = await time(CALLS, list);
  orThrow(await saveFile(db, OWNER, { file_name: "f0.ts", body: `// head\n${body}` }, NOW));
  found["the same after an edit of the file"] = await time(CALLS, list);
  const ids = (await list()).map(({ id }) => id);
  found["batch of 50"] = await time(CALLS / 3, (call) => {
    const updates = ids.map((id) => ({ id, position: { x: call, y: call } }));
    return runBatch(db, OWNER, orThrow(checkBySchema(noteBatch, { updates })).updates, NOW);
  });
  found["toggle a task"] = await time(CALLS, async (call) => {
    const { updated_at: prev } = required(await findNote(db, OWNER, itemAt(ids, 1)));
    orThrow(await toggleTask(db, OWNER, itemAt(ids, 1), { index: 0, checked: call % 2 === 0, prev }, NOW));
  });
  for (const [name, needle] of Object.entries(SEARCHES))
    found[name] = await time(CALLS, () => searchNotes(db, OWNER, { needle, limit: 30 }));
  orThrow(await removeNote(db, OWNER, itemAt(ids, 0), NOW));
  found["create and delete the 1,000th"] = await time(CALLS, async () => {
    const { id } = orThrow(
      await createNote(db, OWNER, {
        target,
        fields: orThrow(checkDraft({})),
        quota: { maxPerUser: QUOTA },
        now: NOW,
      }),
    );
    orThrow(await removeNote(db, OWNER, id, NOW));
  });
  return found;
}

export async function run(): Promise<Figure[]> {
  const directory = await mkdtemp(join(tmpdir(), "codeshelf-bench-notes-"));
  const documents = await startDocuments(directory);
  const mongo = await connectMongo(documents.uri, { appName: "codeshelf-bench", timeoutMs: 60_000 });
  try {
    await ensureIndexes(mongo.collection);
    const db: Db = { ...mongo.collections, emit: () => {} };
    const figures = await measure(db, await fill(db));
    console.log(`\n| ${QUOTA.toLocaleString("en")} notes | p50 ms | p95 ms |\n|---|---|---|`);
    for (const [name, { p50, p95 }] of Object.entries(figures))
      console.log(`| ${name} | ${ms(p50)} | ${ms(p95)} |`);
    const baseline = required(figures[COMPARED]).p50;
    return Object.entries(figures)
      .filter(([name]) => name !== COMPARED)
      .map(([what, { p50 }]) => ({ what, ours: p50, baseline, unit: "ms" }));
  } finally {
    await mongo.close();
    await documents.stop();
    await rm(directory, { recursive: true, force: true });
  }
}
