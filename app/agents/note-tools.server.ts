import { z } from "zod";
import { agentTool } from "#app/agents/tool.server.ts";
import { toWireNote, toWireNotes, toWireRefusal } from "#app/notes/note-wire.server.ts";
import type { Db } from "#db/client.ts";
import { ensureDefaultBoard } from "#db/notes/boards/boards.server.ts";
import { listEveryNote } from "#db/notes/note-overview.server.ts";
import { toggleTask } from "#db/notes/note-tasks.server.ts";
import { createNote, listNotes } from "#db/notes/notes.server.ts";
import { setNoteReminder } from "#db/reminders/note-reminders.server.ts";
import { moveToBoard } from "#db/reminders/notes/note-board.server.ts";
import { searchNotes } from "#db/search/note-search.server.ts";
import { NOTE_COLORS, NOTE_KINDS, type NoteKind, type NoteTarget } from "#domain/notes/note.ts";
import { checkPrevUpdatedAt } from "#domain/notes/note-request.ts";
import { checkNewNote } from "#domain/notes/note-schema.ts";
import { isRefusal } from "#domain/refusal.ts";
import { checkReminderTime } from "#domain/reminders/reminder-schema.ts";
import { REMINDER_PRESETS } from "#domain/reminders/reminder-time.ts";
import { checkNoteSearch } from "#domain/search/note-search.ts";
import { toTimestamp } from "#domain/time/timestamp.ts";

const NOTES_AT_ONCE = 50;

const id = z.string().max(100);
const note_id = id.describe("The id of a note, from a list or a search");
const placeFields = {
  file_id: id.optional().describe("The file the note is on"),
  board_id: id.optional().describe("The board the note is on"),
};
const color = z
  .string()
  .max(20)
  .optional()
  .describe(`${NOTE_COLORS.join(", ")} or #rrggbb`);
const line = z.int().min(1).max(10_000_000).optional();

type NoteTargetArguments = { file_id?: string; board_id?: string };
const namesOneTarget = ({ file_id, board_id }: NoteTargetArguments) =>
  file_id === undefined || board_id === undefined;
const ONE_TARGET = { message: "file_id or board_id, not both" };

/** The target that the arguments name, by kind. Agents cannot name a file of a mirror. */
const NAMED_TARGETS: Record<NoteKind, (target: NoteTargetArguments) => NoteTarget | null> = {
  file: ({ file_id }) => (file_id === undefined ? null : { kind: "file", file_id }),
  board: ({ board_id }) => (board_id === undefined ? null : { kind: "board", board_id }),
  repo: () => null,
};

const toNoteTarget = (input: NoteTargetArguments): NoteTarget | null =>
  NOTE_KINDS.map((kind) => NAMED_TARGETS[kind](input)).find((target) => target !== null) ?? null;

async function findDefaultTarget(db: Db, ownerId: string, now: Date): Promise<NoteTarget> {
  return { kind: "board", board_id: (await ensureDefaultBoard(db, ownerId, now)).id };
}

export const noteTools = [
  agentTool({
    name: "list_notes",
    title: "List notes",
    description: "Lists the notes on a file or on a board; of neither, those that were changed last.",
    scope: "read",
    input: z.strictObject(placeFields).refine(namesOneTarget, ONE_TARGET),
    answer: async ({ services: { db }, user, input }) => {
      const target = toNoteTarget(input);
      if (!target) {
        const { notes, next } = await listEveryNote(db, user.id, { limit: NOTES_AT_ONCE });
        return { notes: await toWireNotes(db, user.id, notes), has_more: next !== null };
      }
      const notes = await listNotes(db, user.id, target);
      return isRefusal(notes) ? notes : { notes: await toWireNotes(db, user.id, notes), has_more: false };
    },
  }),
  agentTool({
    name: "search_notes",
    title: "Search notes",
    description: "Finds notes whose title or body has the words, literally and whatever their case.",
    scope: "read",
    input: z.strictObject({ q: z.string().max(10_000), color, limit: z.int().min(1).max(50).optional() }),
    answer: async ({ services: { db }, user, input: { q, color, limit } }) => {
      const search = checkNoteSearch({ q, color, limit: limit === undefined ? undefined : String(limit) });
      if (isRefusal(search)) return search;
      const { notes, more } = await searchNotes(db, user.id, search);
      const results = notes.map((note) => ({ ...note, updated_at: toTimestamp(note.updated_at) }));
      return { query: search.needle, results, has_more: more };
    },
  }),
  agentTool({
    name: "add_note",
    title: "Add a note",
    description:
      "Puts a note on a file (on some of its lines, if given), on a board, or of neither on the default board. Lines such as `- [ ] task` are tasks.",
    scope: "write",
    input: z
      .strictObject({
        ...placeFields,
        content: z.string().max(100_000),
        title: z.string().max(1_000).optional(),
        color,
        line_start: line,
        line_end: line,
      })
      .refine(namesOneTarget, ONE_TARGET),
    answer: async ({ services: { db, env, clock }, user, input: { file_id, board_id, ...fields } }) => {
      const draft = checkNewNote(fields);
      if (isRefusal(draft)) return draft;
      const now = clock();
      const target = toNoteTarget({ file_id, board_id }) ?? (await findDefaultTarget(db, user.id, now));
      const quota = { maxPerUser: env.maxNotesPerUser };
      const note = await createNote(db, user.id, { target, fields: draft, quota, now });
      return isRefusal(note) ? note : { note: await toWireNote(db, user.id, note) };
    },
    tells: ({ note }) => ({ kind: "note_added", note_id: note.id, file_id: note.file_id }),
  }),
  agentTool({
    name: "tick_task",
    title: "Tick a task",
    description:
      "Ticks or unticks a task of a note. index counts the note's task lines from 0; prev_updated_at is the note's updated_at as it was read, and a note that changed since refuses.",
    scope: "write",
    input: z.strictObject({
      note_id,
      index: z.int().min(0).max(20_000),
      checked: z.boolean(),
      prev_updated_at: z.string().max(60),
    }),
    answer: async ({
      services: { db, clock },
      user,
      input: { note_id, index, checked, prev_updated_at },
    }) => {
      const prev = checkPrevUpdatedAt(prev_updated_at);
      if (isRefusal(prev)) return prev;
      const result = await toggleTask(db, user.id, note_id, { index, checked, prev }, clock());
      if (isRefusal(result)) return toWireRefusal(db, user.id, result);
      return { changed: result.changed, note: await toWireNote(db, user.id, result.note) };
    },
    tells: ({ changed, note }) =>
      changed ? { kind: "task_changed", note_id: note.id, file_id: note.file_id } : null,
  }),
  agentTool({
    name: "move_note",
    title: "Move a note",
    description:
      "Moves a note to a board, from another board or from the file it is on. On a board it has no lines.",
    scope: "write",
    input: z.strictObject({ note_id, board_id: id.describe("The board to move it to") }),
    answer: async ({ services: { db, clock }, user, input: { note_id, board_id: boardId } }) => {
      const result = await moveToBoard(db, user.id, note_id, { boardId }, clock());
      if (isRefusal(result)) return result;
      const isChanged = result.note.board_id !== result.before.board_id;
      return { changed: isChanged, note: await toWireNote(db, user.id, result.note) };
    },
    tells: ({ changed, note }) =>
      changed ? { kind: "note_moved", note_id: note.id, file_id: note.file_id } : null,
  }),
  agentTool({
    name: "set_reminder",
    title: "Set a reminder",
    description:
      "Reminds the person of a note: at a preset, or at a wall time such as 2026-11-14T09:00 in a time zone (theirs unless given).",
    scope: "write",
    replaces: true,
    input: z.strictObject({
      note_id,
      preset: z.enum(REMINDER_PRESETS).optional(),
      at: z.string().max(60).optional(),
      tz: z.string().max(64).optional(),
    }),
    answer: async ({ services: { db, clock }, user, input: { note_id, ...time } }) => {
      const now = clock();
      const moment = checkReminderTime(time, user.timezone, now);
      if (isRefusal(moment)) return moment;
      const reminder = await setNoteReminder(db, user.id, note_id, moment, now);
      if (isRefusal(reminder)) return reminder;
      return { note_id, file_id: reminder.file_id, remind_at: toTimestamp(reminder.remind_at) };
    },
    tells: ({ note_id, file_id }) => ({ kind: "reminder_set", note_id, file_id }),
  }),
];
