import { checkFileName, countLines, FILE_NAME_MAX } from "#domain/files/file.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { type LineRange, parseLineRange } from "#domain/text/line-range.ts";
import { codePoints } from "#domain/text/text.ts";
import { DAY_MS } from "#domain/time/durations.ts";

/**
 * The public part of a file: one version, complete or as a preview, or a range of its lines. A link to several files shows each
 * of them completely.
 */
export const SHARE_MODES = ["full", "preview"] as const;
export type ShareMode = (typeof SHARE_MODES)[number];
/** The choices in the form. */
export const SHARE_CONTENTS = [...SHARE_MODES, "lines"] as const;

export const SHARES_MAX = 200;
/** The greatest number of files in a link to a folder. */
export const LINK_FILES_MAX = 500;
export const SHARE_DAYS = 7;
export const SHARE_DAYS_MAX = 365;

/** The choices in the form; null means no end. */
export const SHARE_LIFETIMES_DAYS = [1, 7, 30, 90, 365, null] as const;
/** The choice in the form for a date from a calendar. */
export const SHARE_ON_DATE = "date";
export const SHARE_VIEWS_MAX = 1_000_000;
const SHARE_PASSWORD_MIN = 6;
const SHARE_PASSWORD_MAX = 200;

export const PREVIEW_LINES = 20;
const PREVIEW_CHARACTERS = 2_000;

const SHARE_ID = /^[\w-]{16}$/;
const LINK_TOKEN = /^[\w-]{32}$/;
/** The random bytes of ids and tokens: 16 and 32 url-safe characters. */
export const SHARE_ID_BYTES = 12;
export const LINK_TOKEN_BYTES = 24;

export const isShareId = (text: string) => SHARE_ID.test(text);
export const isLinkToken = (text: string) => LINK_TOKEN.test(text);

const TOKEN_BEGINNING = 8;

/** Names a share in events by the beginning of its id or token. Any other text is not repeated. */
export function toEventShareName(id: string): string {
  return isShareId(id) || isLinkToken(id) ? `${id.slice(0, TOKEN_BEGINNING)}…` : "malformed";
}

/** Parses the chosen lines of a text; null means all. Lines that do not exist are refused. */
export function checkSharedLines(typed: string | null, lines: number): LineRange | null | Refusal {
  if (typed === null || typed.trim() === "") return null;
  const range = parseLineRange(typed.trim());
  return range && range.from >= 1 && range.to <= lines
    ? range
    : Refusal("invalid_share_lines", { max: lines });
}

/** The requested end: after some days (null for never), or at a moment. */
export type ShareEnd = { days: number | null; until?: Date };

/** Computes the end of a new share. A moment has the same limit as days. */
export function checkShareEnd({ days, until }: ShareEnd, now: Date): Date | null | Refusal {
  if (!until) return days === null ? null : new Date(now.getTime() + days * DAY_MS);
  const ms = until.getTime() - now.getTime();
  return ms > 0 && ms <= SHARE_DAYS_MAX * DAY_MS
    ? until
    : Refusal("invalid_share_end", { max_days: SHARE_DAYS_MAX });
}

export function checkSharePassword(password: string): string | Refusal {
  const length = codePoints(password);
  const isValid = length >= SHARE_PASSWORD_MIN && length <= SHARE_PASSWORD_MAX;
  return isValid
    ? password
    : Refusal("invalid_share_password", { min: SHARE_PASSWORD_MIN, max: SHARE_PASSWORD_MAX });
}

type ShareContent = { mode: ShareMode; lines: LineRange | null };

export function sharedText(body: string, { mode, lines }: ShareContent): string {
  const chosen = lines ? sliceLines(body, lines) : body;
  return mode === "full" ? chosen : cutPreview(chosen);
}

/** Lines keep their line ends. */
function sliceLines(body: string, { from, to }: LineRange): string {
  const allLines = body.split("\n");
  return allLines.slice(from - 1, to).join("\n") + (to < allLines.length ? "\n" : "");
}

/** Counts the lines that a share shows; a preview of long lines may show fewer. */
export function countSharedLines(
  { mode, lines }: { mode: ShareMode; lines: LineRange | null },
  fileLines: number,
): number {
  if (lines) return lines.to - lines.from + 1;
  return mode === "preview" ? Math.min(PREVIEW_LINES, fileLines) : fileLines;
}

function cutPreview(text: string): string {
  const first = sliceLines(text, { from: 1, to: Math.min(PREVIEW_LINES, Math.max(countLines(text), 1)) });
  return first.length <= PREVIEW_CHARACTERS ? first : [...first].slice(0, PREVIEW_CHARACTERS).join("");
}

/** Fences a text in Markdown with more backticks than it has in a row. */
export function fencedBlock(text: string, language: string): string {
  const runs = text.match(/`{3,}/g) ?? [];
  const fence = "`".repeat(runs.reduce((longest, run) => Math.max(longest, run.length + 1), 3));
  const end = text === "" || text.endsWith("\n") ? "" : "\n";
  return `${fence}${language === "text" ? "" : language}\n${text}${end}${fence}\n`;
}

const MARKDOWN_SUFFIX = /\.(?:md|markdown)$/i;
/** A name such as `v1.2 notes` has no suffix. */
const ANY_SUFFIX = /.\.(?:\p{L}[\p{L}\p{N}_+-]{0,15})?$/u;
const SUFFIX = ".md";

/** Checks the name of a saved share: a Markdown file. The suffix is added if there is none. */
export function checkMarkdownName(name: unknown): string | Refusal {
  const checked = checkFileName(name);
  if (isRefusal(checked) || MARKDOWN_SUFFIX.test(checked)) return checked;
  return ANY_SUFFIX.test(checked) ? Refusal("invalid_file_name") : checkFileName(checked + SUFFIX);
}

/** Returns the default name of a saved share: `a.md` stays, `a.py` becomes `a.py.md`. */
export function toMarkdownName(fileName: string): string {
  if (MARKDOWN_SUFFIX.test(fileName)) return fileName;
  return [...fileName].slice(0, FILE_NAME_MAX - SUFFIX.length).join("") + SUFFIX;
}
