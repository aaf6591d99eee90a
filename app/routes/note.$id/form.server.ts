import { z } from "zod";
import type { WebServices } from "#app/web/request-context.ts";
import type { Flash } from "#app/web/session/flash.ts";
import { findFile } from "#db/files/file-records.server.ts";
import { attachToSuggestedLines, confirmNotePlace } from "#db/notes/note-pins.server.ts";
import { toggleTask } from "#db/notes/note-tasks.server.ts";
import { type NoteRecord, updateNote } from "#db/notes/notes.server.ts";
import { removeNote, restoreNote } from "#db/reminders/notes/deleted-notes.server.ts";
import { moveToBoard, returnToFile } from "#db/reminders/notes/note-board.server.ts";
import { noteName, toNoteAddress } from "#domain/notes/note-place.ts";
import { checkPrevUpdatedAt } from "#domain/notes/note-request.ts";
import { checkChanges, type NoteChanges } from "#domain/notes/note-schema.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { sameSitePath } from "#domain/same-site-path.ts";

/** `intent` is a verb followed by its parameters, separated by colons. */
export const noteVerbForm = z.object({
  intent: z.string(),
  next: z.string().optional(),
  prev_updated_at: z.string().optional(),
});

type NoteVerbForm = z.output<typeof noteVerbForm>;
type Done = { note: NoteRecord; flash?: Flash };
type NoteChangeRequest = {
  services: WebServices;
  ownerId: string;
  noteId: string;
  form: NoteVerbForm;
  parameters: string[];
  now: Date;
};
type Verb = (request: NoteChangeRequest) => Promise<Done | Refusal>;

const createChangeVerb =
  (toChanges: (parameters: string[]) => Record<string, unknown>): Verb =>
  async ({ services: { db }, ownerId, noteId, parameters, now }) => {
    const changes: NoteChanges | Refusal = checkChanges(toChanges(parameters));
    if (isRefusal(changes)) return changes;
    const note = await updateNote(db, ownerId, noteId, changes, { now });
    return isRefusal(note) ? note : { note };
  };

const VERBS: Record<string, Verb> = {
  minimize: createChangeVerb(() => ({ is_minimized: true })),
  expand: createChangeVerb(() => ({ is_minimized: false })),
  color: createChangeVerb(([color]) => ({ color })),
  pin: async ({ services: { db }, ownerId, noteId, now }) => {
    const note = await confirmNotePlace(db, ownerId, noteId, { now });
    return isRefusal(note) ? note : { note };
  },
  attach: async ({ services: { db }, ownerId, noteId, parameters: [lines = ""], now }) => {
    const note = await attachToSuggestedLines(db, ownerId, noteId, lines, { now });
    return isRefusal(note) ? note : { note };
  },
  tick: async ({ services: { db }, ownerId, noteId, form, parameters: [index = "", state], now }) => {
    const prev = checkPrevUpdatedAt(form.prev_updated_at);
    if (isRefusal(prev)) return prev;
    const task = { index: Number(index), checked: state === "on", prev };
    const result = await toggleTask(db, ownerId, noteId, task, now);
    return isRefusal(result) ? result : { note: result.note };
  },
  move: async ({ services: { db }, ownerId, noteId, parameters: [boardId = "", x, y], now }) => {
    // Undoing a move sends the former position of the note.
    const changes = checkChanges(x === undefined ? {} : { position: { x: Number(x), y: Number(y) } });
    if (isRefusal(changes)) return changes;
    const result = await moveToBoard(db, ownerId, noteId, { boardId, position: changes.position }, now);
    if (isRefusal(result)) return result;
    const { name, is_default } = result.board;
    return { note: result.note, flash: describeMove(result, { name, is_default }) };
  },
  return: async ({ services: { db }, ownerId, noteId, now }) => {
    const result = await returnToFile(db, ownerId, noteId, now);
    if (isRefusal(result)) return result;
    const { file_id, repo_path } = result.note;
    const file = file_id === null ? null : await findFile(db, ownerId, file_id);
    const name = file?.file_name ?? repo_path ?? "";
    return { note: result.note, flash: describeMove(result, { name, is_default: false }) };
  },
  remove: async ({ services: { db }, ownerId, noteId, now }) => {
    const note = await removeNote(db, ownerId, noteId, now);
    if (isRefusal(note)) return note;
    return { note, flash: { say: "note_removed", note_id: note.id, name: noteName(note) } };
  },
  undo: async ({ services: { db, env }, ownerId, noteId, now }) => {
    const note = await restoreNote(db, ownerId, noteId, { maxPerUser: env.maxNotesPerUser }, now);
    if (isRefusal(note)) return note;
    return { note, flash: { say: "note_unremoved", name: noteName(note) } };
  },
};

type NoteMove = { note: NoteRecord; before: NoteRecord };

function describeMove({ note, before }: NoteMove, place: { name: string; is_default: boolean }): Flash {
  const from = before.board_id === null ? null : { board_id: before.board_id, ...before.position };
  return { say: "note_moved", note_id: note.id, name: noteName(note), place, from };
}

export async function changeNote(
  services: WebServices,
  ownerId: string,
  noteId: string,
  form: NoteVerbForm,
): Promise<Done | Refusal> {
  const [verb = "", ...parameters] = form.intent.split(":");
  const act = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  if (!act) return Refusal("invalid_payload", { field: "intent" });
  return act({ services, ownerId, noteId, form, parameters, now: services.clock() });
}

/** Returns the page that the form was on, scrolled to the note if it still exists. */
export function toPageAfterAction({ next, intent }: NoteVerbForm, done: Done | null): string {
  const page = next && sameSitePath(next, "/notes");
  if (!done || intent === "remove") return page || "/notes";
  const isMoved = intent === "return" || intent.startsWith("move:");
  const isAway = page && isMoved && toPathname(toNoteAddress(done.note)) !== toPathname(page);
  if (isAway) return page;
  return page ? `${page}#note-${done.note.id}` : toNoteAddress(done.note);
}

const toPathname = (address: string) => address.replace(/[?#].*$/s, "");
