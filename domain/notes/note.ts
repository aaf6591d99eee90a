import { isOpaqueId } from "#domain/opaque-id.ts";
import { Refusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";
import { codePoints } from "#domain/text/text.ts";
import { hasItem, mapKeys } from "#domain/typed-keys.ts";

/** A sticky note has exactly one target and keeps it. Its fields are in `note-schema.ts`. */
export const CONTENT_MAX = 20_000;
export const TITLE_MAX = 80;
export const ANCHOR_MAX = 1_000;
export const LINE_MAX = 10_000_000;
export const NOTES_PER_BOARD = 200;
export const NOTES_PER_FILE = 50;
export const BATCH_MAX = 200;
/** Two texts of the greatest length with four bytes per letter, and the rest of the form. */
export const NOTE_FORM_MAX_BYTES = 1024 * 1024;

export const NOTE_COLORS = ["yellow", "pink", "blue", "green", "orange", "purple"] as const;
export const NOTE_MODES = ["surface", "screen", "anchored"] as const;
export const NOTE_KINDS = ["file", "board", "repo"] as const;
export type NoteKind = (typeof NOTE_KINDS)[number];

export type NotePositioning = "lines" | "surface";

type TargetRules = {
  fields: readonly string[];
  notesMax: number;
  /** Titles are unique on a board and on a file of a repository, but not on a file of the library. */
  hasUniqueTitles: boolean;
  positioning: NotePositioning;
};

const TARGETS = {
  file: { fields: ["file_id"], notesMax: NOTES_PER_FILE, hasUniqueTitles: false, positioning: "lines" },
  board: { fields: ["board_id"], notesMax: NOTES_PER_BOARD, hasUniqueTitles: true, positioning: "surface" },
  repo: {
    fields: ["repo_name", "repo_path"],
    notesMax: NOTES_PER_FILE,
    hasUniqueTitles: true,
    positioning: "lines",
  },
} as const satisfies Record<NoteKind, TargetRules>;

type TargetFieldName<Kind extends NoteKind> = (typeof TARGETS)[Kind]["fields"][number];
type TargetField = TargetFieldName<NoteKind>;
const FIELD_NAMES = Object.values(TARGETS).flatMap<TargetField>(({ fields }) => fields);

const listFields = (kind: NoteKind): readonly TargetField[] => TARGETS[kind].fields;
export type NoteTarget<Kind extends NoteKind = NoteKind> = {
  [Each in Kind]: { kind: Each } & Record<TargetFieldName<Each>, string>;
}[Kind];
/** The fields that name targets; those of other kinds are null. */
export type TargetFields = Record<TargetField, string | null>;
export type TargetedNote = { kind: NoteKind } & TargetFields;

export const RANGES = {
  x: [0, 100_000],
  y: [0, 1_000_000],
  width: [120, 1200],
  height: [80, 1200],
} as const satisfies Record<string, readonly [number, number]>;

export function isNoteId(value: unknown): value is string {
  return isOpaqueId(value);
}

/** Returns a string that identifies a target, for lists, quotas and unique titles. */
export function targetKey(target: NoteTarget): string {
  const fields = targetFields(target);
  return [target.kind, ...listFields(target.kind).map((field) => fields[field])].join(":");
}

export function mapTargetFields<Value>(make: (field: TargetField) => Value): Record<TargetField, Value> {
  return mapKeys(FIELD_NAMES, make);
}

export function targetFields(target: NoteTarget): TargetFields {
  const fields: Partial<TargetFields> = target;
  return mapTargetFields((field) => fields[field] ?? null);
}

export function pickTargetFields(note: TargetFields): TargetFields {
  return mapTargetFields((field) => note[field]);
}

export function toTarget(note: TargetedNote): NoteTarget {
  const entries = listFields(note.kind).map((field) => [field, required(note[field], `${field} of a note`)]);
  // The table of kinds guarantees that these are the fields of its kind.
  return { kind: note.kind, ...Object.fromEntries(entries) } as NoteTarget;
}

/** True if exactly the fields of the note's kind are set. */
export function hasOneTarget({ kind, ...note }: TargetedNote): boolean {
  return FIELD_NAMES.every((field) => (note[field] !== null) === listFields(kind).includes(field));
}

export function notesPerTarget({ kind }: { kind: NoteKind }): number {
  return TARGETS[kind].notesMax;
}

export function getPositioning(kind: NoteKind): NotePositioning {
  return TARGETS[kind].positioning;
}

export function hasUniqueTitles({ kind }: { kind: NoteKind }): boolean {
  return TARGETS[kind].hasUniqueTitles;
}

export function checkColor(value: unknown): string | Refusal {
  if (typeof value === "string" && /^#[0-9a-f]{6}$/i.test(value)) return value.toLowerCase();
  return hasItem(NOTE_COLORS, value)
    ? value
    : Refusal("invalid_color", { allowed: [...NOTE_COLORS, "#rrggbb"], field: "color" });
}

export const TARGET_FIELDS = ["id", ...FIELD_NAMES] as const;
export type TargetClaims = Partial<Record<(typeof TARGET_FIELDS)[number], unknown>>;

/** A note keeps its target: a request that names another one is refused. */
export function checkClaims(
  claims: TargetClaims,
  note: Record<keyof TargetClaims, string | null>,
): Refusal | null {
  const wrongField = TARGET_FIELDS.find((name) => name in claims && (claims[name] ?? null) !== note[name]);
  return wrongField ? Refusal("target_fixed", { field: wrongField }) : null;
}

/** Returns the time of a change: now, but always after the change before it, so that no two states of a note share a time. */
export function computeChangeTime(now: Date, before: Date): Date {
  return new Date(Math.max(now.getTime(), before.getTime() + 1));
}

/** Appends a number: `Ideas (2)`. A title at its limit is cut to make room. */
export function numberedTitle(title: string, number: number): string {
  const mark = ` (${number})`;
  return [...title].slice(0, TITLE_MAX - codePoints(mark)).join("") + mark;
}
