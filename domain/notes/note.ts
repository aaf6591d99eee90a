import { isOpaqueId } from "#domain/opaque-id.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { codePoints, hasControlCharacters } from "#domain/text/text.ts";
import { parseTimestamp } from "#domain/time/timestamp.ts";

/** What a sticky note is: its target, its fields and their limits. Every note has exactly one target and keeps it. */
export const CONTENT_MAX = 20_000;
export const TITLE_MAX = 80;
export const ANCHOR_MAX = 1_000;
export const LINE_MAX = 10_000_000;
export const NOTES_PER_BOARD = 200;
export const NOTES_PER_FILE = 50;
export const BATCH_MAX = 200;

export const NOTE_COLORS = ["yellow", "pink", "blue", "green", "orange", "purple"] as const;
export const NOTE_MODES = ["surface", "screen", "anchored"] as const;
export type NoteMode = (typeof NOTE_MODES)[number];
export const NOTE_KINDS = ["file", "board", "repo"] as const;
export type NoteKind = (typeof NOTE_KINDS)[number];

export type NoteTarget =
  | { kind: "file"; file_id: string }
  | { kind: "board"; board_id: string }
  | { kind: "repo"; repo_name: string; repo_path: string };

export type NoteFields = {
  title: string | null;
  content: string;
  position: { x: number; y: number };
  size: { width: number; height: number };
  color: string;
  is_minimized: boolean;
  line_start: number | null;
  line_end: number | null;
  anchor_id: string | null;
  anchor_text: string | null;
  mode: NoteMode;
};

export type NoteChanges = Partial<NoteFields>;

export const RANGES = {
  x: [0, 100_000],
  y: [0, 1_000_000],
  width: [120, 1200],
  height: [80, 1200],
} as const satisfies Record<string, readonly [number, number]>;

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

export function isNoteId(value: unknown): value is string {
  return isOpaqueId(value);
}

/** One string per place a note can be: what lists ask for and what quotas and titles are counted in. */
export function targetKey(target: NoteTarget): string {
  if (target.kind === "file") return `file:${target.file_id}`;
  if (target.kind === "board") return `board:${target.board_id}`;
  return `repo:${target.repo_name}:${target.repo_path}`;
}

/** The four fields that say where a note is, of which those of its kind are set. */
export function targetFields(target: NoteTarget) {
  return {
    file_id: target.kind === "file" ? target.file_id : null,
    board_id: target.kind === "board" ? target.board_id : null,
    repo_name: target.kind === "repo" ? target.repo_name : null,
    repo_path: target.kind === "repo" ? target.repo_path : null,
  };
}

export function notesPerTarget({ kind }: { kind: NoteKind }): number {
  return kind === "board" ? NOTES_PER_BOARD : NOTES_PER_FILE;
}

/** Titles are names on a board and in a repository file; on a file of the library they are words like others. */
export function hasUniqueTitles({ kind }: { kind: NoteKind }): boolean {
  return kind !== "file";
}

type Given = Record<string, unknown>;
type Check = (value: unknown) => unknown | Refusal;

const wrongType = (field: string, wanted: string) =>
  Refusal("invalid_payload", { field, message: `${field} must be ${wanted}.` });

function numberIn(field: keyof typeof RANGES, value: unknown): number | Refusal {
  const [min, max] = RANGES[field];
  if (typeof value !== "number" || !Number.isFinite(value)) return wrongType(field, "a number");
  return value >= min && value <= max ? value : outOfRange(field, min, max);
}

const outOfRange = (field: string, min: number, max: number) =>
  Refusal("out_of_range", { field, min, max, message: `${field} must be from ${min} to ${max}.` });

function checkPair<A extends keyof typeof RANGES, B extends keyof typeof RANGES>(
  name: string,
  one: A,
  two: B,
) {
  return (value: unknown): Record<A | B, number> | Refusal => {
    if (!isObject(value)) return wrongType(name, `an object with ${one} and ${two}`);
    const unknown = Object.keys(value).find((key) => key !== one && key !== two);
    if (unknown !== undefined) return unknownField(`${name}.${unknown}`);
    const first = numberIn(one, value[one]);
    if (isRefusal(first)) return first;
    const second = numberIn(two, value[two]);
    if (isRefusal(second)) return second;
    return { [one]: first, [two]: second } as Record<A | B, number>;
  };
}

function checkContent(value: unknown): string | Refusal {
  if (typeof value !== "string" || !value.isWellFormed()) return wrongType("content", "text");
  return codePoints(value) > CONTENT_MAX
    ? Refusal("content_too_long", { max: CONTENT_MAX, field: "content" })
    : value;
}

export function checkTitle(value: unknown): string | null | Refusal {
  if (value === null) return null;
  if (typeof value !== "string" || !value.isWellFormed()) return wrongType("title", "text or null");
  const title = value.trim();
  if (hasControlCharacters(title)) return Refusal("invalid_title", { field: "title" });
  if (codePoints(title) > TITLE_MAX) return Refusal("title_too_long", { max: TITLE_MAX, field: "title" });
  return title === "" ? null : title;
}

export function checkColor(value: unknown): string | Refusal {
  const color = typeof value === "string" ? value.toLowerCase() : "";
  const good = (NOTE_COLORS as readonly string[]).includes(color) || /^#[0-9a-f]{6}$/.test(color);
  return good ? color : Refusal("invalid_color", { allowed: [...NOTE_COLORS, "#rrggbb"], field: "color" });
}

function lineNumber(field: string): Check {
  return (value) => {
    if (value === null) return null;
    if (!Number.isInteger(value)) return wrongType(field, "a whole number or null");
    const line = value as number;
    return line >= 1 && line <= LINE_MAX ? line : outOfRange(field, 1, LINE_MAX);
  };
}

function anchorWords(field: string): Check {
  return (value) => {
    if (value === null || value === "") return null;
    if (typeof value !== "string" || !value.isWellFormed()) return wrongType(field, "text or null");
    return codePoints(value) > ANCHOR_MAX ? outOfRange(field, 0, ANCHOR_MAX) : value;
  };
}

function checkMode(value: unknown): NoteMode | Refusal {
  const known = NOTE_MODES.find((mode) => mode === value);
  return known ?? Refusal("invalid_mode", { allowed: [...NOTE_MODES], field: "mode" });
}

const CHECKS: Record<keyof NoteFields, Check> = {
  title: checkTitle,
  content: checkContent,
  position: checkPair("position", "x", "y"),
  size: checkPair("size", "width", "height"),
  color: checkColor,
  is_minimized: (value) => (typeof value === "boolean" ? value : wrongType("is_minimized", "true or false")),
  line_start: lineNumber("line_start"),
  line_end: lineNumber("line_end"),
  anchor_id: anchorWords("anchor_id"),
  anchor_text: anchorWords("anchor_text"),
  mode: checkMode,
};

export function isObject(value: unknown): value is Given {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const unknownField = (field: string) =>
  Refusal("invalid_payload", { field, message: `A note has no field ${field} that can be set.` });

/** The fields that were given, each checked. A field that could not be stored is refused, never passed over. */
export function checkChanges(given: unknown): NoteChanges | Refusal {
  if (!isObject(given)) return Refusal("invalid_payload", { message: "A note is a JSON object." });
  const changes: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (!Object.hasOwn(CHECKS, field)) return unknownField(field);
    const good = CHECKS[field as keyof NoteFields](value);
    if (isRefusal(good)) return good;
    changes[field] = good;
  }
  return changes as NoteChanges;
}

/** A whole note from the fields given. It is anchored where a line or a heading is given and no mode. */
export function checkDraft(given: unknown): NoteFields | Refusal {
  const changes = checkChanges(given);
  if (isRefusal(changes)) return changes;
  const anchored = changes.line_start != null || changes.anchor_id != null || changes.anchor_text != null;
  const fields: NoteFields = { mode: anchored ? "anchored" : "surface", ...NEW_NOTE, ...changes };
  return checkLines(fields) ?? fields;
}

/** Lines make a range: an end needs a beginning and does not come before it. */
export function checkLines({ line_start, line_end }: NoteFields): Refusal | null {
  if (line_end === null) return null;
  return line_start !== null && line_end >= line_start
    ? null
    : outOfRange("line_end", line_start ?? 1, LINE_MAX);
}

/** ISO 8601, to the millisecond. Undefined where none was given. */
export function checkPrevUpdatedAt(value: unknown): Date | undefined | Refusal {
  if (value === undefined || value === null) return undefined;
  return parseTimestamp(value) ?? Refusal("invalid_prev_updated_at", { field: "prev_updated_at" });
}

const TARGET_FIELDS = ["id", "file_id", "board_id", "repo_name", "repo_path"] as const;
export type TargetClaims = Partial<Record<(typeof TARGET_FIELDS)[number], unknown>>;

/** What a client wants changed, what it last saw, and what it believes about where the note is. */
export type NoteUpdate = { changes: NoteChanges; prev: Date | undefined; claims: TargetClaims };

export function checkUpdate(given: unknown): NoteUpdate | Refusal {
  if (!isObject(given)) return checkChanges(given) as Refusal;
  const { prev_updated_at, ...rest } = given;
  const claims = Object.fromEntries(
    TARGET_FIELDS.filter((name) => name in rest).map((name) => [name, rest[name]]),
  );
  const fields = Object.fromEntries(Object.entries(rest).filter(([name]) => !(name in claims)));
  const prev = checkPrevUpdatedAt(prev_updated_at);
  if (isRefusal(prev)) return prev;
  const changes = checkChanges(fields);
  return isRefusal(changes) ? changes : { changes, prev, claims };
}

/** A note keeps its target: whoever names another one is told. */
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

/** The title with a number: `Ideas (2)`. A title at its limit gives way to the number. */
export function numberedTitle(title: string, number: number): string {
  const mark = ` (${number})`;
  return [...title].slice(0, TITLE_MAX - codePoints(mark)).join("") + mark;
}
