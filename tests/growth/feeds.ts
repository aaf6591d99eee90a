/** The ways in which hostile texts reach an entry: each makes its set-up and then the one call that is measured. */

import { createHmac } from "node:crypto";
import { createToken } from "#db/accounts/tokens.server.ts";
import type { Db } from "#db/client.ts";
import { LANGUAGES, type LanguageName } from "#domain/files/language.ts";
import { itemAt, required } from "#domain/required.ts";
import { type Belonging, MAKERS, type Names } from "#tests/authorisation/belongings.ts";
import { OWNER_ID } from "#tests/authorisation/callers.ts";
import { AGENT_ENTRY, PAGE_ENTRIES } from "#tests/entries/entries.ts";
import type { Entry } from "#tests/entries/entry.ts";
import { newOwner } from "#tests/support/accounts/accounts.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";
import type { TestWeb } from "#tests/support/web.ts";
import { BATCH_SHAPES, FLOODS, FORM_SHAPES, JSON_SHAPES, type Shape } from "./floods.ts";
import type { HostileText } from "./hostile-texts.ts";
import { type MeteredWeb, type Person, WEBHOOK_SECRET } from "./metered-web.ts";
import { type Made, type Maker, makeFile, STORED } from "./stored-texts.ts";

export type Stage = { web: MeteredWeb; db: Db };
type Call = () => Promise<Response>;
export type Feed = {
  name: string;
  bytes: number;
  /** Whether the answer must show something. */
  isShown: boolean;
  prepare(text: HostileText, bytes: number): Promise<Call>;
};

const PAGES = new Set(PAGE_ENTRIES.map(({ call }) => call));

/** The largest text that each kind of request may carry; a longer one is refused for its size. */
const DOOR_BYTES = { json: 900_000, form: 240_000, query: 10_000, raw: 2_000_000 };
const LONG = 1_000;

const WHO: Record<Entry["door"], Person> = {
  anyone: "anyone",
  person: "owner",
  owner: "owner",
  premium: "premium",
  admin: "admin",
};

/** A cut may fall inside an emoji. */
const encodeQuery = (text: string) => encodeURIComponent(text.toWellFormed());

/** Cuts a text to at most `bytes` once it is encoded: later characters of a long text may be wider than the first. */
export function fitText(text: HostileText, bytes: number, encode: (text: string) => string): string {
  const measure = (some: string) => Buffer.byteLength(encode(some));
  const sample = text.make(LONG);
  const bytesEach = measure(sample) / sample.length;
  let length = Math.floor(bytes / bytesEach);
  let shortened = text.make(length).toWellFormed();
  for (let has = measure(shortened); has > bytes; has = measure(shortened)) {
    length = Math.floor((length * bytes) / has) - 1;
    shortened = text.make(length).toWellFormed();
  }
  return shortened;
}

type Kind = keyof typeof DOOR_BYTES;
const ENCODED: Record<Kind, (text: string) => string> = {
  json: JSON.stringify,
  form: (text) => text,
  query: encodeQuery,
  raw: (text) => text,
};

const findKind = (row: Entry): Kind =>
  row.json || row === AGENT_ENTRY ? "json" : row.form ? "form" : row.raw !== undefined ? "raw" : "query";

const SHAPES: Record<string, readonly Shape[]> = { "POST /api/files/batch": BATCH_SHAPES };

/** The heaviest rows take all feeds; the others take turns with those that the same code reads at every address. */
export function listFeeds(row: Entry, stage: Stage, seed: number, isHeaviest: boolean): Feed[] {
  const { takes = {}, shows = [] } = row;
  const kind = findKind(row);
  const texts = Object.entries(takes).flatMap(([field, most]) => {
    const door = DOOR_BYTES[kind];
    const lengths = most >= LONG ? [most, ...(door > most ? [door] : [])] : [door];
    return lengths.map((bytes) => textFeed(row, stage, field, bytes));
  });
  const [longest] = Object.entries(takes).toSorted(([, a], [, b]) => b - a);
  const isKept = kind === "form" && row.door !== "anyone" && longest;
  const flood = itemAt(FLOODS, seed % FLOODS.length);
  const shapes = kind === "json" ? JSON_SHAPES : kind === "form" ? FORM_SHAPES : [];
  const toFeed = (shape: Shape) => shapeFeed(row, stage, shape);
  const alike = [...(isKept ? [keptFeed(row, stage, longest[0])] : []), ...shapes.map(toFeed)];
  return [
    ...texts,
    ...shows.map((stored) => storedFeed(row, stage, stored, STORED[stored])),
    floodFeed(row, stage, flood),
    ...(SHAPES[row.call]?.map(toFeed) ?? alike.filter((_, i) => isHeaviest || i === seed % alike.length)),
  ];
}

/** Makes what the row needs and returns its request. */
async function approach(row: Entry, stage: Stage, made?: Made) {
  const { web, db } = stage;
  const madeNames = made ? {} : await make(row.needs, stage);
  const names: Names = { ...madeNames, ...made?.names };
  const [method, pattern] = row.call.split(" ") as [string, string];
  const query = made?.query?.(row.call) || row.query || "";
  const path = `${pattern}${query}`.replace(/[:*](\w+)/g, (_, name) => names[name] ?? `no-${name}`);
  const html = PAGES.has(row.call);
  const ask = web.people[WHO[row.door]];
  const headers = { ...row.headers?.(names), ...(await credentials(row, db)) };
  return {
    names,
    path,
    send: (url: string, init: RequestInit) =>
      ask(url, { method, html, ...init, headers: { ...headers, ...(init.headers as object) } }),
  };
}

const make = (needs: Belonging | undefined, { web, db }: Stage) =>
  MAKERS[needs ?? "nothing"](web.owner, { db, clock: () => new Date() } as unknown as TestWeb);

let bearer: string | null = null;

async function credentials(row: Entry, db: Db): Promise<Record<string, string>> {
  if (row !== AGENT_ENTRY) return row.credentials ?? {};
  return {
    Authorization: `Bearer ${await provideToken(db)}`,
    Accept: "application/json, text/event-stream",
  };
}

export async function provideToken(db: Db): Promise<string> {
  if (bearer === null) {
    const wish = { name: "growth", scope: "write", lifetimeDays: 30 } as const;
    const token = orThrow(await createToken(db, newOwner(OWNER_ID), wish, new Date()));
    bearer = token.secret;
  }
  return bearer;
}

const asJson = (value: unknown): RequestInit => ({
  body: JSON.stringify(value),
  headers: { "Content-Type": "application/json" },
});

function asForm(fields: Record<string, string>): RequestInit {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return { body };
}

const signedRaw = (text: string): RequestInit => ({
  body: text,
  headers: {
    "X-Hub-Signature-256": `sha256=${createHmac("sha256", WEBHOOK_SECRET).update(text).digest("hex")}`,
    "X-GitHub-Delivery": `growth-${text.length}`,
    "X-GitHub-Event": "push",
  },
});

/** Fields of JSON that hold lists or objects with the text in them. */
const JSON_VALUES: Record<string, (text: string) => unknown> = {
  file_ids: (text) => [text],
  tags: (text) => [text],
  alert: (summary) => ({ name: "alert", summary, metadata: { summary } }),
  updates: (text) =>
    Array.from({ length: 20 }, (_, n) => ({
      id: "0".repeat(24),
      content: text.slice(0, text.length / 20) + n,
    })),
};

const agentCall = (field: string, text: string) => {
  const tools: Record<string, [name: string, input: object]> = {
    q: ["search_notes", { q: text }],
    content: ["add_note", { content: text, board_id: "default" }],
    title: ["add_note", { content: "x", title: text, board_id: "default" }],
    file: ["save_file", { file_name: `agent-${text.length}`, content: text }],
  };
  const [name, input] = required(tools[field]);
  return asJson({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input } });
};

function textFeed(row: Entry, stage: Stage, field: string, bytes: number): Feed {
  const kind = findKind(row);
  return {
    name: `${field} of ${bytes} bytes`,
    bytes,
    isShown: false,
    async prepare(hostile, length) {
      const text = fitText(hostile, length, ENCODED[kind]);
      const { names, path, send } = await approach(row, stage);
      if (row === AGENT_ENTRY) return () => send(path, agentCall(field, text));
      if (kind === "raw") return () => send(path, signedRaw(text));
      if (kind === "form") return () => send(path, asForm({ ...required(row.form)(names), [field]: text }));
      if (kind === "json") {
        const value = (JSON_VALUES[field] ?? ((it: string) => it))(text);
        return () => send(path, asJson({ ...(required(row.json)(names) as object), [field]: value }));
      }
      return () => send(`${path}${path.includes("?") ? "&" : "?"}${field}=${encodeQuery(text)}`, {});
    },
  };
}

const KEPT_BYTES = 2_000_000;

/** The same form after its session ended: the answer contains the typed text. */
function keptFeed(row: Entry, stage: Stage, field: string): Feed {
  return {
    name: `${field} of ${KEPT_BYTES} bytes without a session`,
    bytes: KEPT_BYTES,
    isShown: false,
    async prepare(hostile, length) {
      const text = fitText(hostile, length, ENCODED.form);
      const { names, path } = await approach(row, stage);
      const form = asForm({ ...required(row.form)(names), [field]: text });
      return () => stage.web.people.anyone(path, { method: "POST", html: true, ...form });
    },
  };
}

const LANGUAGE_BYTES = 200_000;

/** The page of a file in one language, which the highlighter colours. */
export const languageFeed = (stage: Stage, language: LanguageName): Feed =>
  storedFeed(
    required(PAGE_ENTRIES.find(({ call }) => call === "GET /file/:id")),
    stage,
    `file in ${language}`,
    makeFile(required(LANGUAGES[language].extensions[0]), LANGUAGE_BYTES),
  );

function storedFeed(row: Entry, stage: Stage, what: string, maker: Maker): Feed {
  return {
    name: `a kept ${what}`,
    bytes: maker.length,
    isShown: true,
    async prepare(hostile, length) {
      const text = fitText(hostile, length, (it) => it);
      const made: Made = await maker.make({ ask: stage.web.people.owner, db: stage.db }, text);
      const { names, path, send } = await approach(row, stage, made);
      if (row.form) return () => send(path, asForm({ ...required(row.form)(names), ...made.sent }));
      return () => send(path, row.json ? asJson(row.json(names)) : {});
    },
  };
}

function floodFeed(row: Entry, stage: Stage, [name, flood]: (typeof FLOODS)[number]): Feed {
  return {
    name: `a flood of ${name}`,
    bytes: DOOR_BYTES.query,
    isShown: false,
    async prepare(_, length) {
      const { names, path, send } = await approach(row, stage);
      const { query, headers } = flood(length);
      const body = row.json ? asJson(row.json(names)) : row.form ? asForm(row.form(names)) : {};
      const url = query === "" ? path : `${path}${path.includes("?") ? "&" : "?"}${query}`;
      return () => send(url, { ...body, headers: { ...(body.headers as object), ...headers } });
    },
  };
}

function shapeFeed(row: Entry, stage: Stage, [name, body]: Shape): Feed {
  return {
    name: `a body of ${name}`,
    bytes: DOOR_BYTES[findKind(row)],
    isShown: false,
    async prepare(_, length) {
      const { path, send } = await approach(row, stage);
      return () => send(path, body(length));
    },
  };
}
