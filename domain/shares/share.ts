import { checkFileName, countLines, FILE_NAME_MAX } from "#domain/files/file.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { type LineRange, parseLineRange } from "#domain/text/line-range.ts";
import { codePoints } from "#domain/text/text.ts";
import { DAY_MS } from "#domain/time/durations.ts";

/**
 * What is made public of a file: one version of it, whole or as a preview, and of either a range of lines where one is chosen. A
 * link to several files shows each of them whole.
 */
export const SHARE_MODES = ["full", "preview"] as const;
export type ShareMode = (typeof SHARE_MODES)[number];
/** What the form offers to show. */
export const SHARE_CONTENTS = [...SHARE_MODES, "lines"] as const;

export const SHARES_MAX = 200;
/** As many files as a link to a folder shows. */
export const LINK_FILES_MAX = 500;
export const SHARE_DAYS = 7;
export const SHARE_DAYS_MAX = 365;

/** What the form offers; null stands for a share without an end. */
export const SHARE_LIFETIMES_DAYS = [1, 7, 30, 90, 365, null] as const;
/** Stands in the form for a day that is chosen in a calendar. */
export const SHARE_ON_DATE = "date";
export const SHARE_VIEWS_MAX = 1_000_000;
const SHARE_PASSWORD_MIN = 6;
const SHARE_PASSWORD_MAX = 200;

export const PREVIEW_LINES = 20;
const PREVIEW_CHARACTERS = 2_000;

const SHARE_ID = /^[\w-]{16}$/;
const LINK_TOKEN = /^[\w-]{32}$/;
/** Random bytes behind each, as url-safe characters: 16 and 32. */
export const SHARE_ID_BYTES = 12;
export const LINK_TOKEN_BYTES = 24;

export const isShareId = (text: string) => SHARE_ID.test(text);
export const isLinkToken = (text: string) => LINK_TOKEN.test(text);

const TOKEN_BEGINNING = 8;

/** The name of a share in events: the beginning of its id or token. Text that is neither is not repeated. */
export function shareInEvents(id: string): string {
  return isShareId(id) || isLinkToken(id) ? `${id.slice(0, TOKEN_BEGINNING)}…` : "malformed";
}

/** The chosen lines of a text with so many lines; null means all. Lines that do not exist are refused. */
export function checkSharedLines(written: string | null, lines: number): LineRange | null | Refusal {
  if (written === null || written.trim() === "") return null;
  const range = parseLineRange(written.trim());
  return range && range.from >= 1 && range.to <= lines
    ? range
    : Refusal("invalid_share_lines", { max: lines });
}

/** When a share is to end: after so many days, null for never; or at a moment. */
export type ShareEnd = { days: number | null; until?: Date };

/** The end of a share that is made now. A moment is as far ahead as days can be. */
export function checkShareEnd({ days, until }: ShareEnd, now: Date): Date | null | Refusal {
  if (!until) return days === null ? null : new Date(now.getTime() + days * DAY_MS);
  const ms = until.getTime() - now.getTime();
  return ms > 0 && ms <= SHARE_DAYS_MAX * DAY_MS
    ? until
    : Refusal("invalid_share_end", { max_days: SHARE_DAYS_MAX });
}

export function checkSharePassword(password: string): string | Refusal {
  const length = codePoints(password);
  const good = length >= SHARE_PASSWORD_MIN && length <= SHARE_PASSWORD_MAX;
  return good
    ? password
    : Refusal("invalid_share_password", { min: SHARE_PASSWORD_MIN, max: SHARE_PASSWORD_MAX });
}

type Shown = { mode: ShareMode; lines: LineRange | null };

/** What a share shows of the version it names. */
export function sharedText(body: string, { mode, lines }: Shown): string {
  const chosen = lines ? sliceLines(body, lines) : body;
  return mode === "full" ? chosen : writePreview(chosen);
}

/** Each line with the line end it has in the text. */
function sliceLines(body: string, { from, to }: LineRange): string {
  const all = body.split("\n");
  return all.slice(from - 1, to).join("\n") + (to < all.length ? "\n" : "");
}

/** How many lines of a file of so many a share shows; a preview of long lines may have fewer. */
export function countSharedLines(
  { mode, lines }: { mode: ShareMode; lines: LineRange | null },
  fileLines: number,
): number {
  if (lines) return lines.to - lines.from + 1;
  return mode === "preview" ? Math.min(PREVIEW_LINES, fileLines) : fileLines;
}

function writePreview(text: string): string {
  const first = sliceLines(text, { from: 1, to: Math.min(PREVIEW_LINES, Math.max(countLines(text), 1)) });
  return first.length <= PREVIEW_CHARACTERS ? first : [...first].slice(0, PREVIEW_CHARACTERS).join("");
}

/** The text inside Markdown: fenced by more backticks than stand together anywhere in it. */
export function fencedBlock(text: string, language: string): string {
  const runs = text.match(/`{3,}/g) ?? [];
  const fence = "`".repeat(runs.reduce((longest, run) => Math.max(longest, run.length + 1), 3));
  const end = text === "" || text.endsWith("\n") ? "" : "\n";
  return `${fence}${language === "text" ? "" : language}\n${text}${end}${fence}\n`;
}

const MARKDOWN_SUFFIX = /\.(?:md|markdown)$/i;
/** A name such as `v1.2 notes` has none. */
const ANY_SUFFIX = /.\.(?:\p{L}[\p{L}\p{N}_+-]{0,15})?$/u;
const SUFFIX = ".md";

/** The name under which a share is saved: a Markdown file's, with the suffix added where none was given. */
export function checkMarkdownName(name: unknown): string | Refusal {
  const given = checkFileName(name);
  if (isRefusal(given) || MARKDOWN_SUFFIX.test(given)) return given;
  return ANY_SUFFIX.test(given) ? Refusal("invalid_file_name") : checkFileName(given + SUFFIX);
}

/** The name a share is saved under where none is given: `a.md` stays, `a.py` is saved as `a.py.md`. */
export function toMarkdownName(fileName: string): string {
  if (MARKDOWN_SUFFIX.test(fileName)) return fileName;
  return [...fileName].slice(0, FILE_NAME_MAX - SUFFIX.length).join("") + SUFFIX;
}
