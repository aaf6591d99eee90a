/** The answers of every address of the JSON API to invalid calls. */
import { describe, expect, it } from "vitest";
import { required } from "#domain/required.ts";
import { API_ENTRIES } from "#tests/entries/entries.ts";
import { ALERTS_TOKEN, type Entry } from "#tests/entries/entry.ts";
import { openApi } from "#tests/support/api/openapi.ts";
import { ABSENT_ID } from "#tests/support/given.ts";
import { drawCases } from "#tests/support/test-runs/tier.ts";
import { openTestWeb } from "#tests/support/web.ts";
import { MAKERS, makeOneOfEach, type Names } from "./belongings.ts";
import { fillAddress } from "./call-row.ts";
import { assembleCallers, ENTITLED, PREMIUM_ID } from "./callers.ts";

const web = await openTestWeb({
  ALERTS_TOKEN,
  CODEHOST_WEBHOOK_SECRET: "a secret of tests",
  PREMIUM_USER_IDS: PREMIUM_ID,
});
const { owner, ask } = await assembleCallers(web);
const things = await makeOneOfEach(owner, web);
const findNames = ({ needs }: Entry): Names => things[needs ?? "nothing"];

const readMethod = ({ call }: Entry) => call.slice(0, call.indexOf(" "));
const readPath = ({ call }: Entry) => call.slice(call.indexOf(" ") + 1);
/** The same code refuses all calls, so the commit draws some of them for each refusal. */
const table = <Case extends { row: Entry }>(refusal: string, cases: Case[], oneIn = 3) =>
  drawCases(refusal, cases, Math.ceil(cases.length / oneIn)).map((row) => [row.row.call, row] as const);

function call(row: Entry, address: string, init: RequestInit = {}): Promise<Response> {
  const headers = { "Content-Type": "application/json", ...row.credentials };
  return ask[ENTITLED[row.door]](address, {
    method: readMethod(row),
    ...init,
    headers: { ...headers, ...init.headers },
  });
}

/** Fields that some calls add to each refusal, so that their callers need not read the status. */
const FLAGS: [addresses: RegExp, flag: object][] = [
  [/^\/api\/(code\/|files\/(bulk|create)-)/, { success: false }],
  [/^\/api\/(sticky-notes|note-boards|folders|search|tree|gists|push|welcome)\b/, { ok: false }],
  [/^\/api\/(files\/\*path|file$|file\/:file_id(\/content|\/versions)?$)/, { ok: false }],
];
const findFlag = (row: Entry) => FLAGS.find(([addresses]) => addresses.test(readPath(row)))?.[1] ?? {};

async function expectRefusal(response: Response, status: number, row: Entry, refusal: object): Promise<void> {
  const body = await response.json();
  expect({ status: response.status, body }).toMatchObject({ status, body: { ...findFlag(row), ...refusal } });
}

const INVALID = { error: "invalid_payload", code: "invalid_payload", message: expect.stringMatching(/\w/) };
const JSON_MAX_BYTES = 1024 * 1024;

const NO_JSON: [name: string, body: string | Uint8Array<ArrayBuffer>][] = [
  ["the beginning of an object", '{"a":'],
  ["bytes that are no UTF-8", Uint8Array.of(0x22, 0xff, 0x22)],
];
const OTHER_SHAPES: [name: string, body: string][] = [
  ["a list", "[]"],
  ["null", "null"],
  ["a text", '"x"'],
];

describe("a call that takes JSON", () => {
  const rows = API_ENTRIES.filter(({ json }) => json).map((row) => ({ row }));

  it.each(table("no JSON", rows))(
    "%s refuses text that is not JSON, and JSON of another shape",
    async (_, { row }) => {
      const address = fillAddress(row, findNames(row));
      for (const [name, body] of NO_JSON)
        await expectRefusal(await call(row, address, { body }), 400, row, INVALID).catch(inCase(name));
      if (row.anyShape) return;
      for (const [name, body] of OTHER_SHAPES)
        await expectRefusal(await call(row, address, { body }), 400, row, row.otherShape ?? INVALID).catch(
          inCase(name),
        );
    },
  );

  it.each(table("no body", rows))("%s accepts no body only if it is optional", async (_, { row }) => {
    const names = row.mayBeEmpty ? await MAKERS[row.needs ?? "nothing"](owner, web) : findNames(row);
    const response = await call(row, fillAddress(row, names));
    if (row.mayBeEmpty) expect([row.ok ?? 200].flat()).toContain(response.status);
    else await expectRefusal(response, 400, row, row.noBody ?? row.otherShape ?? INVALID);
  });
});

describe("a call that takes a body", () => {
  const rows = API_ENTRIES.filter(({ json, raw }) => json || raw !== undefined).map((row) => ({ row }));

  it.each(table("too large", rows, 4))(
    "%s refuses one over its limit, and states the limit",
    async (_, { row }) => {
      const address = fillAddress(row, findNames(row));
      const max = row.bodyMaxBytes ?? JSON_MAX_BYTES;
      const tooLarge = await call(row, address, { body: " ".repeat(max + 1) });
      await expectRefusal(tooLarge, 413, row, { error: "payload_too_large", max: row.statedMaxBytes ?? max });
      if (row.json) expect((await call(row, address, { body: " ".repeat(max) })).status).not.toBe(413);
    },
  );
});

describe("an address", () => {
  const READ = API_ENTRIES.filter((row) => readMethod(row) === "GET");
  const byPath = [...Map.groupBy(API_ENTRIES, readPath)].map(([path, rows]) => [path, rows] as const);

  it.each(drawCases("other methods", byPath, byPath.length / 3))(
    "%s refuses unknown methods, and names its own",
    async (_, rows) => {
      const [row] = rows as [Entry];
      const address = fillAddress(row, findNames(row));
      const offered = rows.map(readMethod);
      const allowed = offered.includes("GET") ? [...offered, "HEAD"] : offered;
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"].filter(
        (name) => !offered.includes(name),
      )) {
        const response = await call(row, address, { method });
        expect(response.headers.get("Allow")?.split(", ").sort(), method).toEqual(allowed.toSorted());
        await expectRefusal(response, 405, row, { error: "method_not_allowed" });
      }
    },
  );

  it.each(
    table(
      "HEAD",
      READ.map((row) => ({ row })),
    ),
  )("%s answers HEAD like GET without the body, and says when nothing has changed", async (_, { row }) => {
    const address = fillAddress(row, findNames(row));
    const read = async (init?: { method?: string; headers?: Record<string, string> }) => {
      const response = await call(row, address, init);
      const { status, headers } = response;
      const body = await response.text();
      return { status, type: headers.get("Content-Type"), etag: headers.get("ETag"), body };
    };
    // The administration's figures change by themselves, so they are read until two readings agree.
    for (;;) {
      const metrics = await read();
      const head = await read({ method: "HEAD" });
      const again = metrics.etag ? await read({ headers: { "If-None-Match": metrics.etag } }) : null;
      if ((await read()).etag !== metrics.etag) continue;
      expect(head).toEqual({ ...metrics, body: "" });
      if (again) expect([again.status, again.body]).toEqual([304, ""]);
      return;
    }
  });
});

/** The error for an id or a name that nothing has. */
const NOT_FOUND: Record<string, string> = {
  alert_uid: "alert_not_found",
  announcement_id: "announcement_not_found",
  board_id: "Board not found",
  file_id: "File not found",
  folder_id: "folder_not_found",
  job_id: "job_not_found",
  note_id: "Note not found",
  path: "File not found",
  repo_name: "repo_not_found",
  run_id: "run_not_found",
  share_id: "Share not found",
};

const NOBODYS_IDS = [ABSENT_ID, "no-id", "%00", "x".repeat(300)];
const NOBODYS_PATHS = [ABSENT_ID, "no/such/file.py"];

describe("an address with a name in it", () => {
  const cases = API_ENTRIES.flatMap((row) =>
    [...readPath(row).matchAll(/[:*](\w+)/g)].map(([, name]) => ({ row, name: required(name) })),
  ).filter(({ row, name }) => name in NOT_FOUND && !row.answersAbsent?.includes(name));

  it.each(drawCases("absent", cases, cases.length / 3).map((row) => [row.row.call, row.name, row] as const))(
    "%s says that nothing has this %s, and says the same of other people's",
    async (_, __, { row, name }) => {
      const names = findNames(row);
      const send = (caller: keyof typeof ask, address: string) =>
        ask[caller](address, {
          method: readMethod(row),
          body: row.json ? JSON.stringify(row.json(names)) : row.raw,
          headers: row.headers?.(names),
        });
      const nameAbsent = (name: string, value: string) =>
        row.absent ? { error: row.absent } : { error: NOT_FOUND[name], [name]: decodeURIComponent(value) };
      for (const value of name === "path" ? NOBODYS_PATHS : NOBODYS_IDS) {
        const response = await send(ENTITLED[row.door], fillAddress(row, { ...names, [name]: value }));
        await expectRefusal(response, 404, row, nameAbsent(name, value));
      }
      if (row.door !== "owner") return;
      const foreign = await send("stranger", fillAddress(row, names));
      const first = required(readPath(row).match(/[:*](\w+)/)?.[1]);
      const refusal = row.foreign ? { error: row.foreign } : nameAbsent(first, required(names[first]));
      await expectRefusal(foreign, 404, row, refusal);
    },
  );
});

const NUMBERS = API_ENTRIES.flatMap((row) => {
  const path = readPath(row).replace(/[:*](\w+)/g, "{$1}");
  const { parameters } = required(openApi.paths[path]?.[readMethod(row).toLowerCase()]);
  return parameters
    .filter((field) => field.in === "query" && (field.schema as { type?: string }).type === "integer")
    .map(({ name }) => ({ row, name }));
});

it.each(NUMBERS.map((row) => [row.name, row.row.call, row] as const))(
  "the query parameter %s of %s must be a number",
  async (_, __, { row, name }) => {
    const address = fillAddress(row, findNames(row));
    // A version that is not a number is treated as an absent version.
    const status = name === "version" ? 404 : 400;
    for (const value of ["x", "1.5", "[1]"]) {
      const response = await call(row, `${address}${address.includes("?") ? "&" : "?"}${name}=${value}`);
      expect(response.status, value).toBe(status);
      expect(await response.json()).toMatchObject({ ...findFlag(row), error: expect.any(String) });
    }
  },
);

function inCase(name: string) {
  return (error: Error): never => {
    throw Object.assign(error, { message: `${name}: ${error.message}` });
  };
}
