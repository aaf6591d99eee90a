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
import { boundedText, checkBySchema, refuseWith, withRule } from "#domain/schema.ts";
import { codePoints, hasControlCharacters } from "#domain/text/text.ts";
import { listKeys, pickKeys } from "#domain/typed-keys.ts";
import { opaqueId } from "#domain/wire-shapes.ts";

/**
 * The fields of a note that can be set. Requests, forms and imports are checked by them, exports are made of them, and the API's
 * document describes them.
 */
export const wrongType = (field: string, expected: string) =>
  refuseWith("invalid_payload", { field, message: `${field} must be ${expected}.` });

const describeRange = (field: string, min: number, max: number) => ({
  field,
  min,
  max,
  message: `${field} must be from ${min} to ${max}.`,
});

const outOfRange = (field: string, min: number, max: number) =>
  refuseWith("out_of_range", describeRange(field, min, max));

/** The issue of a value that is not an object, or of an object with a field that cannot be set. */
export const objectIssue =
  (notAnObject: string, prefix = "") =>
  ({ keys }: { code?: string; keys?: unknown }) => {
    const field = Array.isArray(keys) ? prefix + String(keys[0]) : undefined;
    return field === undefined
      ? notAnObject
      : refuseWith("invalid_payload", { field, message: `${field} can’t be set on a note.` });
  };

function numberIn(field: keyof typeof RANGES) {
  const [min, max] = RANGES[field];
  const range = outOfRange(field, min, max);
  return z.number(wrongType(field, "a number")).min(min, range).max(max, range);
}

const position = z.strictObject(
  { x: numberIn("x"), y: numberIn("y") },
  { error: objectIssue(wrongType("position", "an object with x and y"), "position.") },
);
const size = z.strictObject(
  { width: numberIn("width"), height: numberIn("height") },
  { error: objectIssue(wrongType("size", "an object with width and height"), "size.") },
);

function text(field: string, expected: string) {
  const error = wrongType(field, expected);
  return z.string(error).refine((value) => value.isWellFormed(), { error, abort: true });
}

function checkContent(content: string): string | Refusal {
  return codePoints(content) > CONTENT_MAX
    ? Refusal("content_too_long", { max: CONTENT_MAX, field: "content" })
    : content;
}

function checkTitle(given: string | null): string | null | Refusal {
  const title = given?.trim() ?? "";
  if (hasControlCharacters(title)) return Refusal("invalid_title", { field: "title" });
  if (codePoints(title) > TITLE_MAX) return Refusal("title_too_long", { max: TITLE_MAX, field: "title" });
  return title === "" ? null : title;
}

function lineNumber(field: string) {
  const [type, range] = [wrongType(field, "a whole number or null"), outOfRange(field, 1, LINE_MAX)];
  return z
    .int({ error: ({ code }) => (code === "invalid_type" ? type : range) })
    .min(1, range)
    .max(LINE_MAX, range)
    .nullable();
}

const anchorWords = (field: string) =>
  withRule(text(field, "text or null").nullable(), (words) => {
    if (words === null || words === "") return null;
    return codePoints(words) > ANCHOR_MAX
      ? Refusal("out_of_range", describeRange(field, 0, ANCHOR_MAX))
      : words;
  });

const color = withRule(
  z.string(refuseWith("invalid_color", { allowed: [...NOTE_COLORS, "#rrggbb"], field: "color" })),
  checkColor,
).meta({ description: `${NOTE_COLORS.join(", ")} or #rrggbb` });

/** Refusals that writing a note can answer with because of its fields. */
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

export const NOT_A_NOTE = refuseWith("invalid_payload", { message: "Send a note as a JSON object." });

const targetId = opaqueId.refine(isOpaqueId, { message: "is not an id" });

/** The fields that say where a note is, in exports and answers. */
export const noteTargetFields = {
  file_id: targetId.nullable(),
  board_id: targetId.nullable(),
  repo_name: boundedText(REPO_NAME_MAX).nullable(),
  repo_path: boundedText(REPO_PATH_MAX).nullable(),
} satisfies Record<keyof TargetFields, z.ZodType>;

export const noteFields = z.strictObject(
  {
    title: withRule(text("title", "text or null").nullable(), checkTitle),
    content: withRule(text("content", "text"), checkContent),
    position,
    size,
    color,
    is_minimized: z.boolean(wrongType("is_minimized", "true or false")),
    line_start: lineNumber("line_start"),
    line_end: lineNumber("line_end"),
    anchor_id: anchorWords("anchor_id"),
    anchor_text: anchorWords("anchor_text"),
    mode: z
      .enum(NOTE_MODES, refuseWith("invalid_mode", { allowed: [...NOTE_MODES], field: "mode" }))
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

/** The part of a record that a person can set. */
export function toNoteFields(note: NoteFields): NoteFields {
  return pickKeys(note, listKeys(noteFields.shape));
}

export const noteChanges = noteFields.partial();

/** The given fields after their checks. An unknown field is refused, never ignored. */
export function checkChanges(given: unknown): NoteChanges | Refusal {
  const changes = checkBySchema(noteChanges, given);
  return isRefusal(changes) ? changes : withoutUndefined(changes);
}

/** Removes undefined fields. The type stays the same, because an optional field may be missing. */
export const withoutUndefined = <Given extends object>(given: Given) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Given;

export function checkDraft(given: unknown): NoteFields | Refusal {
  const changes = checkChanges(given);
  return isRefusal(changes) ? changes : toDraft(changes);
}

/** A complete note from checked fields. Without a mode, it is anchored if a line or a heading is given. */
export function toDraft(changes: NoteChanges): NoteFields | Refusal {
  const anchored = changes.line_start != null || changes.anchor_id != null || changes.anchor_text != null;
  const fields: NoteFields = { mode: anchored ? "anchored" : "surface", ...NEW_NOTE, ...changes };
  return checkLines(fields) ?? fields;
}

/** Refuses an end line without a start line or before it. */
export function checkLines(lines: Pick<NoteFields, "line_start" | "line_end">): Refusal | null {
  const { line_start, line_end } = lines;
  if (line_end === null || (line_start !== null && line_end >= line_start)) return null;
  return Refusal("out_of_range", describeRange("line_end", line_start ?? 1, LINE_MAX));
}
