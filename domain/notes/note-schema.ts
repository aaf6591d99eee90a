import { z } from "zod";
import {
  ANCHOR_MAX,
  CONTENT_MAX,
  checkColor,
  LINE_MAX,
  NOTE_COLORS,
  NOTE_MODES,
  RANGES,
  type TargetFields,
  TITLE_MAX,
} from "#domain/notes/note.ts";
import { isOpaqueId } from "#domain/opaque-id.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { REPO_NAME_MAX, REPO_PATH_MAX } from "#domain/repos/repo.ts";
import { boundedText, checkBySchema, toRefusalText, withRule } from "#domain/schema.ts";
import { codePoints, hasControlCharacters } from "#domain/text/text.ts";
import { listKeys, pickKeys } from "#domain/typed-keys.ts";
import { opaqueId } from "#domain/wire-shapes.ts";

/** The fields of a note that can be set. Requests, forms, imports, exports and OpenAPI use this schema. */
export const wrongType = (field: string, expected: string) =>
  toRefusalText("invalid_payload", { field, message: `${field} must be ${expected}.` });

const describeRange = (field: string, min: number, max: number) => ({
  field,
  min,
  max,
  message: `${field} must be from ${min} to ${max}.`,
});

const outOfRange = (field: string, min: number, max: number) =>
  toRefusalText("out_of_range", describeRange(field, min, max));

/** Creates the issue of a value that is no object, or of an object with a field that cannot be set. */
export const objectIssue =
  (notAnObject: string, prefix = "") =>
  ({ keys }: { code?: string; keys?: unknown }) => {
    const field = Array.isArray(keys) ? prefix + String(keys[0]) : undefined;
    return field === undefined
      ? notAnObject
      : toRefusalText("invalid_payload", { field, message: `${field} can’t be set on a note.` });
  };

function createNumberSchema(field: keyof typeof RANGES) {
  const [min, max] = RANGES[field];
  const range = outOfRange(field, min, max);
  return z.number(wrongType(field, "a number")).min(min, range).max(max, range);
}

const position = z.strictObject(
  { x: createNumberSchema("x"), y: createNumberSchema("y") },
  { error: objectIssue(wrongType("position", "an object with x and y"), "position.") },
);
const size = z.strictObject(
  { width: createNumberSchema("width"), height: createNumberSchema("height") },
  { error: objectIssue(wrongType("size", "an object with width and height"), "size.") },
);

function createTextSchema(field: string, expected: string) {
  const error = wrongType(field, expected);
  return z.string(error).refine((value) => value.isWellFormed(), { error, abort: true });
}

function checkContent(content: string): string | Refusal {
  return codePoints(content) > CONTENT_MAX
    ? Refusal("content_too_long", { max: CONTENT_MAX, field: "content" })
    : content;
}

function checkTitle(typed: string | null): string | null | Refusal {
  const title = typed?.trim() ?? "";
  if (hasControlCharacters(title)) return Refusal("invalid_title", { field: "title" });
  if (codePoints(title) > TITLE_MAX) return Refusal("title_too_long", { max: TITLE_MAX, field: "title" });
  return title === "" ? null : title;
}

function createLineSchema(field: string) {
  const [type, range] = [wrongType(field, "a whole number or null"), outOfRange(field, 1, LINE_MAX)];
  return z
    .int({ error: ({ code }) => (code === "invalid_type" ? type : range) })
    .min(1, range)
    .max(LINE_MAX, range)
    .nullable();
}

const createAnchorTextSchema = (field: string) =>
  withRule(createTextSchema(field, "text or null").nullable(), (words) => {
    if (words === null || words === "") return null;
    return codePoints(words) > ANCHOR_MAX
      ? Refusal("out_of_range", describeRange(field, 0, ANCHOR_MAX))
      : words;
  });

const color = withRule(
  z.string(toRefusalText("invalid_color", { allowed: [...NOTE_COLORS, "#rrggbb"], field: "color" })),
  checkColor,
).meta({ description: `${NOTE_COLORS.join(", ")} or #rrggbb` });

/** The refusals of writing a note because of its fields. */
export const NOTE_REFUSALS = [
  "invalid_prev_updated_at",
  "target_fixed",
  "duplicate_title",
  "content_too_long",
  "title_too_long",
  "invalid_title",
  "out_of_range",
  "invalid_color",
  "invalid_mode",
  "library_full",
] as const;

export const NOT_A_NOTE = toRefusalText("invalid_payload", { message: "Send a note as a JSON object." });

const targetId = opaqueId.refine(isOpaqueId, { message: "is not an id" });

export const noteTargetFields = {
  file_id: targetId.nullable(),
  board_id: targetId.nullable(),
  repo_name: boundedText(REPO_NAME_MAX).nullable(),
  repo_path: boundedText(REPO_PATH_MAX).nullable(),
} satisfies Record<keyof TargetFields, z.ZodType>;

export const noteFields = z.strictObject(
  {
    title: withRule(createTextSchema("title", "text or null").nullable(), checkTitle),
    content: withRule(createTextSchema("content", "text"), checkContent),
    position,
    size,
    color,
    is_minimized: z.boolean(wrongType("is_minimized", "true or false")),
    line_start: createLineSchema("line_start"),
    line_end: createLineSchema("line_end"),
    anchor_id: createAnchorTextSchema("anchor_id"),
    anchor_text: createAnchorTextSchema("anchor_text"),
    mode: z
      .enum(NOTE_MODES, toRefusalText("invalid_mode", { allowed: [...NOTE_MODES], field: "mode" }))
      .meta({ description: "Where the note floats: over the file, on the screen, or at its lines." }),
  },
  { error: objectIssue(NOT_A_NOTE) },
);

export type NoteFields = z.output<typeof noteFields>;
export type NoteChanges = Partial<NoteFields>;

export const NEW_NOTE = {
  title: null,
  content: "",
  position: { x: 40, y: 40 },
  size: { width: 240, height: 200 },
  color: "yellow",
  is_minimized: false,
  line_start: null,
  line_end: null,
  anchor_id: null,
  anchor_text: null,
} as const satisfies Omit<NoteFields, "mode">;

export function toNoteFields(note: NoteFields): NoteFields {
  return pickKeys(note, listKeys(noteFields.shape));
}

export const noteChanges = noteFields.partial();

/** Checks fields to change. Unknown fields are refused, never ignored. */
export function checkChanges(input: unknown): NoteChanges | Refusal {
  const changes = checkBySchema(noteChanges, input);
  return isRefusal(changes) ? changes : withoutUndefined(changes);
}

/** Removes undefined fields. The type stays the same, because an optional field may be missing. */
export const withoutUndefined = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;

export function checkNewNote(input: unknown): NoteFields | Refusal {
  const changes = checkChanges(input);
  return isRefusal(changes) ? changes : toDraft(changes);
}

/** Completes checked fields to a new note. Without a mode, the note is anchored if it has a line or a heading. */
export function toDraft(changes: NoteChanges): NoteFields | Refusal {
  const isAnchored = changes.line_start != null || changes.anchor_id != null || changes.anchor_text != null;
  const fields: NoteFields = { mode: isAnchored ? "anchored" : "surface", ...NEW_NOTE, ...changes };
  return checkLines(fields) ?? fields;
}

export function checkLines(lines: Pick<NoteFields, "line_start" | "line_end">): Refusal | null {
  const { line_start, line_end } = lines;
  if (line_end === null || (line_start !== null && line_end >= line_start)) return null;
  return Refusal("out_of_range", describeRange("line_end", line_start ?? 1, LINE_MAX));
}
