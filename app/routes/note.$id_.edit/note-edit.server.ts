import { THREAD_JOBS } from "#app/main/thread-jobs.ts";
import {
  chooseText,
  type NoteEditForm,
  parseShownFields,
  readNoteChanges,
  toTypedNote,
} from "#app/notes/note-edit-form.server.ts";
import type { WebServices } from "#app/web/request-context.ts";
import { listPastContents } from "#db/notes/note-history.server.ts";
import { findNote, HISTORY_MAX, type NoteRecord, updateNote } from "#db/notes/notes.server.ts";
import { moveToBoard } from "#db/reminders/notes/note-board.server.ts";
import { joinNoteVersions, type MergedNote } from "#domain/notes/note-merge.ts";
import { textAt } from "#domain/notes/note-past.ts";
import { checkPrevUpdatedAt } from "#domain/notes/note-request.ts";
import type { NoteChanges } from "#domain/notes/note-schema.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import type { MergeLabels } from "#domain/text/line-merge.ts";

/** Saves the fields of a form. A text that changed since then is never overwritten. */
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
  const typed = toTypedNote(form);
  const changes = readNoteChanges(typed, parseShownFields(form));
  if (isRefusal(changes)) return changes;
  const content = chooseText(form);
  const savedNote = await updateText(db, ownerId, note, { ...changes, content }, { prev, now: clock() });
  if (isRefusal(savedNote)) return savedNote;
  const isMoving = savedNote.board_id && typed.board_id !== "" && typed.board_id !== savedNote.board_id;
  if (!isMoving) return savedNote;
  const to = { boardId: typed.board_id, position: savedNote.position };
  const result = await moveToBoard(db, ownerId, savedNote.id, to, clock());
  return isRefusal(result) ? result : result.note;
}

/**
 * There is no conflict if the note was only moved or coloured since then, or if it already has this text because the answer to an earlier
 * attempt was lost.
 */
async function updateText(
  db: WebServices["db"],
  ownerId: string,
  note: NoteRecord,
  changes: NoteChanges,
  { prev, now }: { prev: Date | undefined; now: Date },
): Promise<NoteRecord | Refusal> {
  const result = await updateNote(db, ownerId, note.id, changes, { prev, now });
  if (!isRefusal(result) || result.refused !== "conflict" || !prev) return result;
  const current = await findNote(db, ownerId, note.id);
  if (!current) return result;
  const isAlreadySaved = current.content === changes.content;
  if (!isAlreadySaved && (await findBaseText(db, current, prev)) !== current.content) return result;
  return updateNote(db, ownerId, note.id, changes, { prev: current.updated_at, now });
}

async function findBaseText(db: WebServices["db"], note: NoteRecord, prev: Date): Promise<string | null> {
  const past = await listPastContents(db, note.user_id, note.id);
  return isRefusal(past) ? null : textAt(past.toReversed(), note, prev, HISTORY_MAX);
}

export type NoteConflict = MergedNote & { mine: string; theirs: string };

/** Merges two texts with a common origin and describes the differences between them. */
export async function buildConflict(
  { db, threads }: WebServices,
  note: NoteRecord,
  form: NoteEditForm,
  labels: MergeLabels,
): Promise<NoteConflict> {
  const mine = chooseText(form);
  const prev = checkPrevUpdatedAt(form.prev_updated_at);
  const base = prev && !isRefusal(prev) ? await findBaseText(db, note, prev) : null;
  const theirs = note.content;
  const texts = { base: base ?? findCommonFirstLines(mine, theirs), mine, theirs, labels };
  const result = await threads.run(THREAD_JOBS.mergeNote, texts, { owner: note.user_id });
  return { mine, theirs, ...(result.ok ? result.value : joinNoteVersions(texts)) };
}

/** Returns the first lines that both texts share, for the case that the common text is no longer stored. */
function findCommonFirstLines(text: string, otherText: string): string {
  const [mine, theirs] = [text.split("\n"), otherText.split("\n")];
  const firstDifference = mine.findIndex((line, i) => line !== theirs[i]);
  return mine.slice(0, firstDifference < 0 ? mine.length : firstDifference).join("\n");
}
