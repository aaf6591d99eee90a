import { createHash } from "node:crypto";
import { z } from "zod";
import type { TypedNote } from "#app/notes/note-fields.tsx";
import type { NoteRecord } from "#db/notes/notes.server.ts";
import { getPositioning, type NotePositioning } from "#domain/notes/note.ts";
import { checkChanges, type NoteChanges } from "#domain/notes/note-schema.ts";
import { parseJsonOrNull } from "#domain/parse-json.ts";
import type { Refusal } from "#domain/refusal.ts";
import { plainLineEnds } from "#domain/text/line-ends.ts";
import { toTimestamp } from "#domain/time/timestamp.ts";
import { listKeys, mapKeys } from "#domain/typed-keys.ts";

const text = z.string().default("");

const fields = {
  title: text,
  color: text,
  own_color: text,
  line_start: text,
  line_end: text,
  anchor_id: text,
  x: text,
  y: text,
  width: text,
  height: text,
  board_id: text,
  minimized: text,
};

/** Browsers send every line end as CRLF; a note has plain ones. */
const content = z.string().transform(plainLineEnds);

const noteForm = z.object({ ...fields, content });

/** Each page has a new key, so the same form sent twice makes one note. */
export const newNoteForm = noteForm.extend({ form_key: z.string().max(100).default("") });

export const noteEditForm = noteForm.extend({
  prev_updated_at: z.string().optional(),
  /** The values of the fields when the form was made. A field that still has this value leaves the note unchanged. */
  shown: z.string().default("{}"),
  /** After a conflict: which text to keep, and the person's own text as typed. */
  use: z.enum(["merged", "mine", "theirs"]).optional(),
  mine: content.optional(),
});

/** A text to preview: that of a note, with the note whose checkboxes it shows, or that of a Markdown file in a folder. */
export const previewForm = z.object({
  content,
  mode: z.enum(["note", "file"]).default("note"),
  note_id: z.string().max(100).default(""),
  folder: text,
});

export type NoteEditForm = z.output<typeof noteEditForm>;

/** Derives the id of the new note from the form, so that sending it again makes the same note. */
export function deriveNoteId(
  form: z.output<typeof newNoteForm>,
  url: string,
  ownerId: string,
): string | undefined {
  if (form.form_key === "") return undefined;
  const digestInput = JSON.stringify([ownerId, new URL(url).search, form]);
  return createHash("sha256").update(digestInput).digest("hex").slice(0, 24);
}

export function toTypedNote(form: z.output<typeof noteForm>): TypedNote {
  const { title, content, color, own_color, line_start, line_end, anchor_id } = form;
  const { x, y, width, height, board_id, minimized } = form;
  return {
    title,
    content,
    color,
    own_color,
    line_start,
    line_end,
    anchor_id,
    x,
    y,
    width,
    height,
    board_id,
    minimized,
  };
}

const DEFAULT_OWN_COLOR = "#fff1a8";

type FormNote = Pick<
  NoteRecord,
  | "title"
  | "content"
  | "color"
  | "line_start"
  | "line_end"
  | "anchor_id"
  | "position"
  | "size"
  | "board_id"
  | "is_minimized"
>;

export function toFormFields(note: FormNote): TypedNote {
  const isCustom = note.color.startsWith("#");
  return {
    title: note.title ?? "",
    content: note.content,
    color: isCustom ? "own" : note.color,
    own_color: isCustom ? note.color : DEFAULT_OWN_COLOR,
    line_start: String(note.line_start ?? ""),
    line_end: String(note.line_end ?? ""),
    anchor_id: note.anchor_id ?? "",
    x: String(note.position.x),
    y: String(note.position.y),
    width: String(note.size.width),
    height: String(note.size.height),
    board_id: note.board_id ?? "",
    minimized: note.is_minimized ? "on" : "",
  };
}

const parseNumber = (typed: string) => (typed.trim() === "" ? null : Number(typed));

const PARTS: Record<string, { of: readonly (keyof TypedNote)[]; say: (typed: TypedNote) => object }> = {
  title: { of: ["title"], say: ({ title }) => ({ title }) },
  color: {
    of: ["color", "own_color"],
    say: ({ color, own_color }) => ({ color: color === "own" ? own_color : color }),
  },
  lines: {
    of: ["line_start", "line_end"],
    say: ({ line_start, line_end }) => ({
      line_start: parseNumber(line_start),
      line_end: parseNumber(line_end),
    }),
  },
  position: { of: ["x", "y"], say: ({ x, y }) => ({ position: { x: parseNumber(x), y: parseNumber(y) } }) },
  size: {
    of: ["width", "height"],
    say: ({ width, height }) => ({ size: { width: parseNumber(width), height: parseNumber(height) } }),
  },
  minimized: { of: ["minimized"], say: ({ minimized }) => ({ is_minimized: minimized === "on" }) },
};

export function readNoteChanges(typed: TypedNote, shown: Partial<TypedNote>): NoteChanges | Refusal {
  const changedParts = Object.values(PARTS).filter(({ of }) =>
    of.some((name) => shown[name] !== undefined && typed[name] !== shown[name]),
  );
  return checkChanges(Object.assign({}, ...changedParts.map(({ say }) => say(typed))));
}

export function parseShownFields({ shown }: NoteEditForm): Partial<TypedNote> {
  const result = shownFields.safeParse(parseJsonOrNull(shown));
  return result.success ? result.data : {};
}

const ALWAYS_SHOWN = ["title", "color", "own_color"] as const;
const SHOWN_BY_POSITIONING: Record<NotePositioning, readonly (keyof TypedNote)[]> = {
  lines: ["line_start", "line_end", "anchor_id"],
  surface: ["x", "y", "width", "height", "board_id", "minimized"],
};

/** A note on a file has no position on a board, so its form sends no such fields. */
function pickShownFields(note: NoteRecord): Partial<TypedNote> {
  const fields = toFormFields(note);
  const names = [...ALWAYS_SHOWN, ...SHOWN_BY_POSITIONING[getPositioning(note.kind)]];
  return Object.fromEntries(names.map((name) => [name, fields[name]]));
}

/** The state of an edit in its form: the fields, what they showed when it began, and the version of the note it began with. */
export type Edit = { fields: TypedNote; shown: string; prev_updated_at: string };

export function toEdit(note: NoteRecord, fields = toFormFields(note)): Edit {
  return {
    fields,
    shown: JSON.stringify(pickShownFields(note)),
    prev_updated_at: toTimestamp(note.updated_at),
  };
}

/** A refused edit keeps the state it began with, because its writer has not seen a later one. */
export function toRefusedEdit(form: NoteEditForm): Edit {
  const fields = { ...toTypedNote(form), content: chooseText(form) };
  return { fields, shown: form.shown, prev_updated_at: form.prev_updated_at ?? "" };
}

/** Bases an edit on the current note with this text. Fields that were not edited show the note's values. */
export function rebaseEdit(form: NoteEditForm, note: NoteRecord, content: string): Edit {
  const [typed, shown, now] = [toTypedNote(form), parseShownFields(form), toFormFields(note)];
  const names = listKeys(now);
  const fields = mapKeys(names, (name) => {
    const isLeftAlone = shown[name] === undefined || typed[name] === shown[name];
    return isLeftAlone ? now[name] : typed[name];
  });
  return toEdit(note, { ...fields, content });
}

export const chooseText = ({ use, mine, content }: NoteEditForm) =>
  use === "mine" && mine !== undefined ? mine : content;

const shownFields = z.record(z.string(), z.string());
