import type { WebServices } from "#app/http/request-context.ts";
import {
  changesIn,
  keepTyped,
  type NoteEditForm,
  shownIn,
  textToKeep,
} from "#app/notes/note-edit-form.server.ts";
import { THREAD_JOBS } from "#app/thread-jobs.ts";
import { moveToBoard } from "#db/notes/note-board.server.ts";
import { listPastContents } from "#db/notes/note-history.server.ts";
import { findNote, HISTORY_MAX, type NoteRecord, updateNote } from "#db/notes/notes.server.ts";
import { joinNote, type MergedNote } from "#domain/notes/note-merge.ts";
import { textAt } from "#domain/notes/note-past.ts";
import { checkPrevUpdatedAt } from "#domain/notes/note-request.ts";
import type { NoteChanges } from "#domain/notes/note-schema.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import type { MergeLabels } from "#domain/text/line-merge.ts";

/** Saves what a form says about a note. One's own text never writes over one that came meanwhile. */
export async function saveEdit(
  { db, clock }: WebServices,
  ownerId: string,
  noteId: string,
  form: NoteEditForm,
): Promise<NoteRecord | Refusal> {
  const note = await findNote(db, ownerId, noteId);
  if (!note) return Refusal("note_not_found", { note_id: noteId });
  if (form.use === "theirs") return note;
  const prev = checkPrevUpdatedAt(form.prev_updated_at);
  if (isRefusal(prev)) return prev;
  const typed = keepTyped(form);
  const changes = changesIn(typed, shownIn(form));
  if (isRefusal(changes)) return changes;
  const content = textToKeep(form);
  const saved = await updateText(db, ownerId, note, { ...changes, content }, { prev, now: clock() });
  if (isRefusal(saved)) return saved;
  const elsewhere = saved.board_id && typed.board_id !== "" && typed.board_id !== saved.board_id;
  if (!elsewhere) return saved;
  const to = { boardId: typed.board_id, position: saved.position };
  const moved = await moveToBoard(db, ownerId, saved.id, to, clock());
  return isRefusal(moved) ? moved : moved.note;
}

/**
 * A note that was only moved or coloured meanwhile still has the text one began with, and one that has this very text was sent it
 * before by a form whose answer was lost: nothing collides.
 */
async function updateText(
  db: WebServices["db"],
  ownerId: string,
  note: NoteRecord,
  changes: NoteChanges,
  { prev, now }: { prev: Date | undefined; now: Date },
): Promise<NoteRecord | Refusal> {
  const saved = await updateNote(db, ownerId, note.id, changes, { prev, now });
  if (!isRefusal(saved) || saved.refused !== "conflict" || !prev) return saved;
  const current = await findNote(db, ownerId, note.id);
  if (!current) return saved;
  const hasIt = current.content === changes.content;
  if (!hasIt && (await findBaseText(db, current, prev)) !== current.content) return saved;
  return updateNote(db, ownerId, note.id, changes, { prev: current.updated_at, now });
}

async function findBaseText(db: WebServices["db"], note: NoteRecord, prev: Date): Promise<string | null> {
  const past = await listPastContents(db, note.user_id, note.id);
  return isRefusal(past) ? null : textAt(past.toReversed(), note, prev, HISTORY_MAX);
}

export type NoteConflict = MergedNote & { mine: string; theirs: string };

/** Two texts that began as one, what differs between them, and what they make together. */
export async function describeConflict(
  { db, threads }: WebServices,
  note: NoteRecord,
  form: NoteEditForm,
  labels: MergeLabels,
): Promise<NoteConflict> {
  const mine = textToKeep(form);
  const prev = checkPrevUpdatedAt(form.prev_updated_at);
  const base = prev && !isRefusal(prev) ? await findBaseText(db, note, prev) : null;
  const theirs = note.content;
  const texts = { base: base ?? common(mine, theirs), mine, theirs, labels };
  const merged = await threads.run(THREAD_JOBS.mergeNote, texts, { owner: note.user_id });
  return { mine, theirs, ...(merged.ok ? merged.value : joinNote(texts)) };
}

/** If the common text is not known any more, the lines at the beginning that both share stand in for it. */
function common(one: string, other: string): string {
  const [mine, theirs] = [one.split("\n"), other.split("\n")];
  const differs = mine.findIndex((line, i) => line !== theirs[i]);
  return mine.slice(0, differs < 0 ? mine.length : differs).join("\n");
}
