import { isOpaqueId } from "#domain/opaque-id.ts";
import { Refusal } from "#domain/refusal.ts";
import { codePoints } from "#domain/text/text.ts";

/** What a sticky note is: its target and the limits of its fields (`note-schema.ts`). Every note has exactly one target and keeps it. */
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

export function checkColor(value: unknown): string | Refusal {
  const color = typeof value === "string" ? value.toLowerCase() : "";
  const good = (NOTE_COLORS as readonly string[]).includes(color) || /^#[0-9a-f]{6}$/.test(color);
  return good ? color : Refusal("invalid_color", { allowed: [...NOTE_COLORS, "#rrggbb"], field: "color" });
}

export const TARGET_FIELDS = ["id", "file_id", "board_id", "repo_name", "repo_path"] as const;
export type TargetClaims = Partial<Record<(typeof TARGET_FIELDS)[number], unknown>>;

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
