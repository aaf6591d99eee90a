/**
 * An entry is a method with an address of the product. Its row says who may call it, what it needs, what is sent to it and which texts
 * it reads, so that every proof which asks all of them (authorisation, wrong calls, growth, faults, security, fuzz) knows a new
 * one by its row.
 */

import { TAGS_MAX } from "#domain/files/file.ts";
import { ANCHOR_MAX, CONTENT_MAX, TITLE_MAX } from "#domain/notes/note.ts";
import type { Belonging, Names } from "#tests/authorisation/belongings.ts";
import type { Door } from "#tests/authorisation/callers.ts";
import type { Stored } from "#tests/growth/stored-texts.ts";

export type Call = {
  call: CallName;
  door: Door;
  /** What its owner makes first; it fills the names in the address, the query and the body. */
  needs?: Belonging;
  query?: string;
  json?: (names: Names) => unknown;
  raw?: string;
  headers?: (names: Names) => Record<string, string>;
  form?: (names: Names) => Record<string, string>;
  /** The status of who may pass: what was sent may be no good, but was looked at. */
  ok?: number | readonly number[];
  /** What gives it a caller whom it knows otherwise than by an account. */
  credentials?: Record<string, string>;
};

/** What is answered to a wrong call, where that is not the usual. */
type WrongCalls = {
  /** The most bytes that its body may have, where that is not the usual megabyte. */
  bodyMaxBytes?: number;
  /** What the refusal of a larger one says, where that is the limit of a text in it. */
  statedMaxBytes?: number;
  /** It does without a body. */
  mayBeEmpty?: true;
  /** JSON of any other shape counts as an empty object. */
  anyShape?: true;
  /** What is answered to JSON of another shape, and to no body, where that is not `invalid_payload`. */
  otherShape?: { error: string };
  noBody?: { error: string };
  /** The error that names what is missing, where its address does not say it. */
  absent?: string;
  /** The error that others get, where that is not about the first name in its address. */
  foreign?: string;
  /** The names in its address which it answers for whether anything has them or not. */
  answersAbsent?: readonly string[];
  /** What a page that always leads on answers to who is not the owner, and says after. */
  refused?: 303;
};

/**
 * The texts that it is sent, each with the greatest length of a good one, and the kept texts that it works with; or why there
 * are none.
 */
type Texts =
  | { takes: Record<string, number>; shows?: readonly Stored[]; without?: never }
  | { takes?: never; shows: readonly Stored[]; without?: never }
  | { takes?: never; shows?: never; without: string };

type CallName = `${"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} /${string}`;
type Row = Omit<Call, "call"> & WrongCalls & Texts;
export type Entry = { call: CallName } & Row;

/** Rows by what they describe: a method and an address. */
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
