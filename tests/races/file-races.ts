/** Concurrent writers on one file, on the last places of quotas, on the one active announcement, and with one form. */

import { ObjectId } from "mongodb";
import { bodyKey } from "#db/files/file-versions.server.ts";
import { NOTES_PER_FILE } from "#domain/notes/note.ts";
import { itemAt, required } from "#domain/required.ts";
import { compete, expected, type Field, type Outcome, type Size } from "./field.ts";
import { NOTES_OF_RACER, RACER } from "./webs.ts";

/** Every save is a version of its own: the numbers have no gap, and each has the text of its answer. */
export async function raceSaves(field: Field, size: Size): Promise<Outcome> {
  const name = "one file, saved";
  const saved = new Map<number, string>();
  const wrong: string[] = [];
  const newest = new Map<number, number>();
  await compete(field, size, async (caller, writer, number) => {
    const text = `text ${number} of ${writer}\n`;
    const { body } = expected(await caller.call("PUT", "/api/files/raced.txt", text), name, 200, 201);
    const version = body.version as number;
    if (saved.has(version)) wrong.push(`version ${version} was given twice`);
    if (version <= (newest.get(writer) ?? 0)) wrong.push("a later save of one writer got an earlier number");
    newest.set(writer, version);
    saved.set(version, text);
  });
  const file = required(await field.db.files.findOne({ file_name: "raced.txt" }));
  const numbers = (
    await field.db.file_versions.find({ file_id: file._id }).sort({ version: 1 }).toArray()
  ).map(({ version }) => version);
  if (numbers.some((version, i) => version !== i + 1) || numbers.length !== size.tries)
    wrong.push(`its versions have gaps: ${numbers.length} of ${size.tries}`);
  if (file.version !== size.tries) wrong.push(`it shows version ${file.version}`);
  for (const [version, text] of saved) {
    const body = await field.db.file_bodies.findOne({ _id: bodyKey(file._id, version) });
    if (body?.body !== text) wrong.push(`version ${version} has another text`);
  }
  return { name, tries: size.tries, acknowledged: saved.size, wrong };
}

/** The quota is never exceeded, and no write is refused while there is room: deleted files make room. */
export async function raceFileQuota(field: Field, { writers }: Size): Promise<Outcome> {
  const name = "the last notes that fit on a file";
  const first = itemAt(field.callers, 0);
  const saved = await first.call("PUT", "/api/files/crowded.txt", "x\n");
  const file_id = expected(saved, name, 200, 201).body.file_id as string;
  const path = `/api/sticky-notes/${file_id}`;
  const count = () => field.db.notes.countDocuments({ file_id, deleted_at: null });
  const filled = await fill(field, name, path, writers, NOTES_PER_FILE, count);
  const freed = Math.min(10, writers);
  for (const id of filled.ids.slice(0, freed))
    expected(await first.call("DELETE", `/api/sticky-notes/note/${id}`), name, 200);
  const again = await fill(field, name, path, writers, NOTES_PER_FILE, count);
  return {
    name,
    tries: filled.tries + again.tries,
    acknowledged: filled.ids.length + again.ids.length,
    wrong: [...filled.wrong, ...again.wrong],
  };
}

/** The same for all notes of a person together. */
export async function racePersonQuota(field: Field, { writers }: Size): Promise<Outcome> {
  const name = "the last notes that fit for a person";
  const boards = await itemAt(field.callers, 0).call("GET", "/api/note-boards");
  const [board] = expected(boards, name, 200).body.boards as { id: string }[];
  const path = `/api/sticky-notes/board/${required(board).id}`;
  const count = () => field.db.notes.countDocuments({ user_id: RACER, deleted_at: null });
  const { tries, ids, wrong } = await fill(field, name, path, writers, NOTES_OF_RACER, count);
  return { name, tries, acknowledged: ids.length, wrong };
}

/** All writers make notes until the quota is full and each writer was refused. */
async function fill(
  field: Field,
  name: string,
  path: string,
  writers: number,
  max: number,
  count: () => Promise<number>,
) {
  const room = max - (await count());
  const tries = room + writers;
  const ids: string[] = [];
  let refused = 0;
  await compete(field, { writers, tries }, async (caller) => {
    const answer = await caller.call("POST", path, { content: "fits" });
    if (expected(answer, name, 201, 409).status === 409) refused += 1;
    else ids.push(required(answer).body.id as string);
  });
  const existing = await count();
  const exact = ids.length === room && refused === writers && existing === max;
  return {
    tries,
    ids,
    wrong: exact ? [] : [`${ids.length} of ${room} made, ${refused} refused, ${existing} of ${max} there`],
  };
}

type Span = { id: string; from: number; to: number };

/** Exactly one announcement is active, and no other was activated wholly after it. */
export async function raceAnnouncements(field: Field, size: Size): Promise<Outcome> {
  const name = "activating announcements";
  const post = (caller: (typeof field.callers)[0], fields: Record<string, string>) =>
    caller.call("POST", "/admin/announcements", new URLSearchParams(fields));
  const ids: string[] = [];
  for (const text of ["one", "two", "three", "four"])
    ids.push(
      expected(await post(itemAt(field.callers, 0), { intent: "create", text }), name, 200).body.id as string,
    );
  const spans: Span[] = [];
  await compete(field, size, async (caller, _writer, number) => {
    const id = itemAt(ids, number % ids.length);
    const from = performance.now();
    expected(await post(caller, { intent: "activate", announcement_id: id }), name, 200);
    spans.push({ id, from, to: performance.now() });
  });
  const active = await field.db.active_announcement.find().toArray();
  const latestBegin = Math.max(...spans.map(({ from }) => from));
  const maybeLast = new Set(spans.filter(({ to }) => to >= latestBegin).map(({ id }) => id));
  const wrong = active.length === 1 ? [] : [`${active.length} are active`];
  if (!maybeLast.has(String(active[0]?.announcement_id)))
    wrong.push("an earlier activation won over a later one");
  return { name, tries: size.tries, acknowledged: spans.length, wrong };
}

/** A form sent many times makes one share, and every answer names it. */
export async function raceOneForm(field: Field, { writers }: Size): Promise<Outcome> {
  const name = "one form sent many times";
  const saved = await itemAt(field.callers, 0).call("PUT", "/api/files/shared.txt", "x\n");
  const file_id = expected(saved, name, 200, 201).body.file_id as string;
  const form = { content: "full", lifetime: "7", form_key: "the key of one page" };
  const ids = new Set<unknown>();
  await compete(field, { writers, tries: writers }, async (caller) => {
    const answer = await caller.call("POST", `/file/${file_id}/share`, new URLSearchParams(form));
    ids.add(expected(answer, name, 200).body.share_id);
  });
  const count = await field.db.shares.countDocuments({ "files.file_id": new ObjectId(file_id) });
  const all = await field.db.shares.countDocuments({});
  const wrong = ids.size === 1 ? [] : [`${ids.size} shares were told of`];
  if (Math.max(count, all) !== 1) wrong.push(`${all} shares were made`);
  return { name, tries: writers, acknowledged: writers, wrong };
}
