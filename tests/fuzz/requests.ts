/** Invalid requests to every address of the product; the same seed gives the same requests. */
import fc from "fast-check";
import type { Names } from "#tests/authorisation/belongings.ts";
import { API_ENTRIES, PAGE_ENTRIES } from "#tests/entries/entries.ts";
import type { Entry } from "#tests/entries/entry.ts";

export type FuzzRequest = {
  call: string;
  path: string;
  method: string;
  headers: Record<string, string>;
  body?: string | Uint8Array;
  isPage: boolean;
  /** The row may answer 404 or 503 by itself. */
  mayBeUnavailable: boolean;
};

const STRINGS = [
  "",
  " ",
  "null",
  "undefined",
  "true",
  "0",
  "-1",
  "1e309",
  "NaN",
  "99999999999999999999999",
  "$ne",
  "$where",
  "__proto__",
  "constructor",
  "a\0b",
  "\u202Eevil\u2066",
  "שלום עולם",
  "👩‍👩‍👧‍👦",
  "\uD800",
  "../../etc/passwd",
  "..%2f..%2f",
  "%",
  "<script>alert(1)</script>",
  "' OR '1'='1",
  "a\r\nSet-Cookie: x=y",
  "2026-13-45T99:99:99Z",
  "Etc/Nowhere",
  "{{7*7}}",
  "(a+)+$",
  "x".repeat(9_000),
  "0".repeat(24),
  "f".repeat(24),
];

const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);

const odd = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...STRINGS) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  {
    weight: 4,
    arbitrary: fc.constantFrom<unknown>(
      null,
      true,
      0,
      -0,
      -1,
      1.5,
      1e308,
      -1e308,
      2 ** 53,
      [],
      [[]],
      [null],
      {},
      { $ne: null },
      { $gt: "" },
      { $where: "1" },
      { toString: 1 },
      JSON.parse('{"__proto__": {"admin": true}}'),
      deep(300),
      Array.from({ length: 2_000 }, (_, i) => i),
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

const BROKEN_JSON = ["", "{", "[1,", "nul", "\uFEFF{}", '{"a":1,"a":2}', "{}{}", '"', "1e999", "\0"];
const QUERY_NAMES =
  "q lang category sort cursor limit page per_page repo v L view from to before range path tz file next"
    .split(" ")
    .concat("_data", "file_id", "metric", "token", "revoke", "intent");
const TYPES = [
  "application/json",
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data",
  "x",
];

/** A name in an address, valid or not. */
function segment(good: string): fc.Arbitrary<string> {
  const naughty = odd.map((value) => encodeURIComponent(String(JSON.stringify(value)).toWellFormed()));
  const plain = fc.constantFrom(...STRINGS).map((text) => encodeURIComponent(text.toWellFormed()) || "-");
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(good) },
    { weight: 3, arbitrary: plain },
    { weight: 1, arbitrary: naughty.map((text) => text.slice(0, 2_000)) },
    { weight: 1, arbitrary: fc.constantFrom("%E0%A4%A", "%00", "%2e%2e", "%FF", ".") },
  );
}

function address(pattern: string, names: Names): fc.Arbitrary<string> {
  const parts = pattern
    .split("/")
    .map((part) => (/^[:*]/.test(part) ? segment(names[part.slice(1)] ?? "x") : fc.constant(part)));
  const pair = fc.tuple(fc.constantFrom(...QUERY_NAMES), fc.constantFrom(...STRINGS));
  const query = fc.array(pair, { maxLength: 4 }).map((pairs) => {
    const search = new URLSearchParams(pairs.map(([name, value]) => [name, value.toWellFormed()]));
    return pairs.length > 0 ? `?${search}` : "";
  });
  return fc.tuple(fc.tuple(...parts), query).map(([path, search]) => path.join("/") + search);
}

/** A valid body with some of it replaced and something added. */
function spoilt(good: Record<string, unknown>): fc.Arbitrary<Record<string, unknown>> {
  const names = [...Object.keys(good), "extra", "$set", "_id", "user_id"];
  const changes = fc.array(fc.tuple(fc.constantFrom(...names), odd), { minLength: 1, maxLength: 3 });
  return changes.map((pairs) => ({ ...good, ...Object.fromEntries(pairs) }));
}

function body(row: Entry, names: Names): fc.Arbitrary<FuzzRequest["body"]> {
  const good = row.form?.(names) ?? row.json?.(names) ?? {};
  const object = (typeof good === "object" ? good : {}) as Record<string, unknown>;
  const asForm = (fields: Record<string, unknown>) =>
    new URLSearchParams(
      Object.entries(fields).map(([name, value]) => [
        name,
        (typeof value === "string" ? value : `${JSON.stringify(value)}`).toWellFormed(),
      ]),
    ).toString();
  return fc.oneof(
    { weight: 6, arbitrary: spoilt(object).map(row.form ? asForm : (value) => JSON.stringify(value)) },
    { weight: 2, arbitrary: odd.map((value) => JSON.stringify(value) ?? "null") },
    { weight: 1, arbitrary: fc.constantFrom(...BROKEN_JSON) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
  );
}

function generateRequest(row: Entry, isPage: boolean, names: Names): fc.Arbitrary<FuzzRequest> {
  const [method, pattern] = row.call.split(" ") as [string, string];
  const type = row.form ? "application/x-www-form-urlencoded" : "application/json";
  return fc
    .record({
      path: address(pattern, names),
      body: method === "GET" ? fc.constant(undefined) : body(row, names),
      type: fc.oneof(
        { weight: 6, arbitrary: fc.constant(type) },
        { weight: 1, arbitrary: fc.constantFrom(...TYPES) },
      ),
      accept: fc.constantFrom(isPage ? "text/html" : "application/json", "*/*", "x"),
    })
    .map(({ path, body, type, accept }) => ({
      call: row.call,
      path,
      method,
      body,
      headers: {
        Accept: accept,
        ...(body === undefined ? {} : { "Content-Type": type }),
        ...(isPage ? { "Sec-Fetch-Site": "same-origin" } : {}),
      },
      isPage,
      mayBeUnavailable: RUNNING.includes(row.call) || [row.ok ?? 200].flat().includes(503),
    }));
}

// No worker runs here.
const RUNNING = ["POST /api/code/run", "POST /tools/code", "POST /file/:id"];
// These would end the sessions of the later requests.
const LEAVING = ["GET /logout", "POST /logout", "POST /settings/sessions"];

export function requests(seed: number, count: number, names: Names): FuzzRequest[] {
  const of = (rows: readonly Entry[], isPage: boolean) =>
    rows.filter(({ call }) => !LEAVING.includes(call)).map((row) => generateRequest(row, isPage, names));
  return fc.sample(fc.oneof(...of(API_ENTRIES, false), ...of(PAGE_ENTRIES, true)), { seed, numRuns: count });
}
