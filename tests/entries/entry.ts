/**
 * An entry is a method with an address of the product. Its row says who may call it, what it needs, what it accepts and which stored
 * texts it reads, so that every test of all entries (authorisation, wrong calls, growth, faults, security, fuzz) includes a new one by
 * its row.
 */

import { TAGS_MAX } from "#domain/files/file.ts";
import { ANCHOR_MAX, CONTENT_MAX, TITLE_MAX } from "#domain/notes/note.ts";
import type { Belonging, Names } from "#tests/authorisation/belongings.ts";
import type { Door } from "#tests/authorisation/callers.ts";
import type { Stored } from "#tests/growth/stored-texts.ts";

export type Call = {
  call: CallName;
  door: Door;
  /** The thing that its owner makes first; its ids fill the address, the query and the body. */
  needs?: Belonging;
  query?: string;
  json?: (names: Names) => unknown;
  raw?: string;
  headers?: (names: Names) => Record<string, string>;
  form?: (names: Names) => Record<string, string>;
  /** The status for an entitled caller; the body may be invalid, but was read. */
  ok?: number | readonly number[];
  /** Headers of a caller that has no account. */
  credentials?: Record<string, string>;
};

/** Answers to wrong calls that differ from the usual ones. */
type WrongCalls = {
  /** The limit of its body if it is not the usual megabyte. */
  bodyMaxBytes?: number;
  /** The limit that its refusal names if a text in the body has one. */
  statedMaxBytes?: number;
  mayBeEmpty?: true;
  /** JSON of any other shape counts as an empty object. */
  anyShape?: true;
  /** The answer to JSON of another shape and to no body, if it is not `invalid_payload`. */
  otherShape?: { error: string };
  noBody?: { error: string };
  /** The error for a missing thing, if the address does not imply it. */
  absent?: string;
  /** The error for other people, if it is not about the first name in the address. */
  foreign?: string;
  /** Names in the address that it answers for even if nothing has them. */
  answersAbsent?: readonly string[];
  /** The answer to other people from a page that always redirects and then says why. */
  refused?: 303;
};

/** The texts that it accepts, each with its maximum length, and the stored texts that it reads; or why it has none. */
type Texts =
  | { takes: Record<string, number>; shows?: readonly Stored[]; without?: never }
  | { takes?: never; shows: readonly Stored[]; without?: never }
  | { takes?: never; shows?: never; without: string };

type CallName = `${"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} /${string}`;
type Row = Omit<Call, "call"> & WrongCalls & Texts;
export type Entry = { call: CallName } & Row;

export const defineEntries = (rows: Record<CallName, Row>): readonly Entry[] =>
  Object.entries(rows).map(([call, row]) => ({ call: call as CallName, ...row }));

export const NOTHING = "It takes no text and shows none.";
export const SHORT =
  "It shows names, numbers and lines of a bounded length, and no more of them than a page holds.";

export const MEGABYTE = 1024 * 1024;
export const TAGS = 50 * TAGS_MAX;
export const URL_LENGTH = 2_000;
export const WORD = 100;
export const NOTE_TEXTS = { title: TITLE_MAX, content: CONTENT_MAX, color: WORD, anchor_id: ANCHOR_MAX };

export const ALERTS_TOKEN = "alerts-token-of-tests";
