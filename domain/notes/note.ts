import { isOpaqueId } from "#domain/opaque-id.ts";
import { Refusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";
import { codePoints } from "#domain/text/text.ts";
import { hasItem, mapKeys } from "#domain/typed-keys.ts";

/** What a sticky note is: its target and the limits of its fields (`note-schema.ts`). Every note has exactly one target and keeps it. */
export const CONTENT_MAX = 20_000;
export const TITLE_MAX = 80;
export const ANCHOR_MAX = 1_000;
export const LINE_MAX = 10_000_000;
export const NOTES_PER_BOARD = 200;
export const NOTES_PER_FILE = 50;
export const BATCH_MAX = 200;
/** Two texts at their limit, each letter of four bytes, and the form around them. */
export const NOTE_FORM_MAX_BYTES = 1024 * 1024;

export const NOTE_COLORS = ["yellow", "pink", "blue", "green", "orange", "purple"] as const;
export const NOTE_MODES = ["surface", "screen", "anchored"] as const;
export const NOTE_KINDS = ["file", "board", "repo"] as const;
export type NoteKind = (typeof NOTE_KINDS)[number];

/** How the place of a note on its target is named. */
export type NotePositioning = "lines" | "surface";

type TargetRules = {
  /** The fields that name a target. */
  fields: readonly string[];
  notesMax: number;
  /** On a board and on a file of a repository titles are unique; on a file of the library they need not be. */
  hasUniqueTitles: boolean;
  /** Whether a note is on lines of a text, or lies at a point of a surface. */
  positioning: NotePositioning;
};

/** The rules of each kind of target. A kind without a row does not compile. */
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
/** The fields that say where a note is; null are those of other kinds. */
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

/** One string per place a note can be: what lists ask for and what quotas and titles are counted in. */
export function targetKey(target: NoteTarget): string {
  const named = targetFields(target);
  return [target.kind, ...listFields(target.kind).map((field) => named[field])].join(":");
}

/** A value for each field that says where a note is. */
export function mapTargetFields<Value>(make: (field: TargetField) => Value): Record<TargetField, Value> {
  return mapKeys(FIELD_NAMES, make);
}

export function targetFields(target: NoteTarget): TargetFields {
  const named: Partial<TargetFields> = target;
  return mapTargetFields((field) => named[field] ?? null);
}

export function pickTargetFields(note: TargetFields): TargetFields {
  return mapTargetFields((field) => note[field]);
}

/** Where a note is that has one target. */
export function toTarget(note: TargetedNote): NoteTarget {
  const named = listFields(note.kind).map((field) => [field, required(note[field], `${field} of a note`)]);
  // The fields are those of its kind, by the table of kinds.
  return { kind: note.kind, ...Object.fromEntries(named) } as NoteTarget;
}

/** Whether the fields of a note's kind say where it is, and no others. */
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

/** A note keeps its target. A request that names another one is refused. */
export function checkClaims(
  claims: TargetClaims,
  note: Record<keyof TargetClaims, string | null>,
): Refusal | null {
  const wrong = TARGET_FIELDS.find((name) => name in claims && (claims[name] ?? null) !== note[name]);
  return wrong ? Refusal("target_fixed", { field: wrong }) : null;
}

/** The moment of a change: now, and always after the change before it, so that no two states of a note share one. */
export function nextMoment(now: Date, before: Date): Date {
  return new Date(Math.max(now.getTime(), before.getTime() + 1));
}

/** The title with a number: `Ideas (2)`. A title at its limit is cut to make room. */
export function numberedTitle(title: string, number: number): string {
  const mark = ` (${number})`;
  return [...title].slice(0, TITLE_MAX - codePoints(mark)).join("") + mark;
}
