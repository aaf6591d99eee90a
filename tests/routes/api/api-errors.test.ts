import { describe, expect, it } from "vitest";
import type { BodySpec, Endpoint } from "#app/http/api/api.server.ts";
import { endpoints } from "#app/http/api/table.server.ts";
import { ADMIN_ID, openTestWeb } from "#tests/support/web.ts";

/**
 * Every endpoint is asked in all the ways that it has to refuse, and each refusal has the one shape that docs/api.md gives. The
 * rows come from the table, so that a new endpoint is asked, too.
 */
const web = await openTestWeb({});
const person = await web.person("20");
const admin = await web.person(ADMIN_ID);

const UNKNOWN_ID = "0123456789abcdef01234567";
const JSON_MAX_BYTES = 1024 * 1024;

const callerFor = ({ gate }: Endpoint) => (gate === "admin" ? admin : person);
const toAddress = ({ path }: Endpoint, id = UNKNOWN_ID) => String(path).replace(/[:*]\w+/g, id);

type Visitor = typeof person;
type Sent = Parameters<Visitor["ask"]>[1];

/** What the endpoint answers, whose refusal has the shape of all; null where it does not refuse. */
async function findRefusal(row: Endpoint, visitor: Visitor, sent: Sent = {}, id?: string) {
  const response = await visitor.ask(toAddress(row, id), { method: row.method, ...sent });
  const text = await response.text();
  if (response.status < 400) return null;
  expect(response.headers.get("Content-Type")).toMatch(/^application\/json/);
  expect(response.status).not.toBe(500);
  expect(response.headers.get("X-Request-Id")).toMatch(/^.{8,}$/);
  const body = JSON.parse(text);
  expect(body).toMatchObject({ ...row.onFailure, error: expect.stringMatching(/\S/) });
  expect(body.code).toMatch(/^[a-z][a-z0-9_]*$/);
  // A code is for programs; people get words, in `error` where it is no code and else in `message`.
  if (body.error === body.code) expect(body.message).toMatch(/\S \S.*[.!?]$/);
  else expect(body.error).toMatch(/^[A-Z]/);
  return { status: response.status, headers: response.headers, body };
}

const named = (rows: readonly Endpoint[]) => rows.map((row) => [`${row.method} ${row.path}`, row] as const);
const takesBody = (row: Endpoint) => row.body !== undefined;
const isJson = (body: BodySpec) => body !== undefined && !("rawMaxBytes" in body);
const bodyLimit = (body: Exclude<BodySpec, undefined>): number =>
  "rawMaxBytes" in body
    ? body.rawMaxBytes
    : "deferred" in body
      ? (body.maxBytes ?? JSON_MAX_BYTES)
      : JSON_MAX_BYTES;

describe("a refusal has one shape", () => {
  it.each(named(endpoints.filter(({ gate }) => gate !== "public")))(
    "where %s is asked without a session or by a wrong token",
    async (_, row) => {
      const headers = { Authorization: `Bearer cs_${"x".repeat(40)}` };
      const refusals = [
        await findRefusal(row, web.visitor()),
        await findRefusal(row, web.visitor(), { headers: { Accept: "image/png" } }),
        await findRefusal(row, web.visitor(), { headers }),
      ];
      for (const refusal of refusals)
        expect(refusal).toMatchObject({ status: 401, body: { code: "auth_required", redirect: "/login" } });
      expect(refusals.at(-1)?.body.message).toBe("This token is not valid.");
      // A link or a form of a page leads there: a browser goes to the login.
      const sent = { method: row.method, headers: { Accept: "text/html" } };
      const { status, headers: answered } = await web.visitor().ask(toAddress(row), sent);
      expect([status, answered.get("Location")?.split("?")[0]]).toEqual([302, "/login"]);
    },
  );

  it.each(named(endpoints.filter(({ gate }) => gate === "admin")))(
    "where %s is asked by somebody who is no administrator",
    async (_, row) => {
      expect(await findRefusal(row, person)).toMatchObject({ status: 403, body: { code: "admin_only" } });
    },
  );

  it.each(named(endpoints))("where %s is asked by a method that it does not know", async (_, row) => {
    const address = toAddress(row);
    const refusal = await findRefusal(row, callerFor(row), { method: "OPTIONS" });
    expect(refusal).toMatchObject({ status: 405, body: { code: "method_not_allowed" } });
    const allowed = refusal?.headers.get("Allow")?.split(", ") ?? [];
    expect(allowed, address).toContain(row.method);
    expect(allowed.includes("HEAD")).toBe(allowed.includes("GET"));
  });

  it.each(named(endpoints.filter(({ path }) => /[:*]/.test(path))))(
    "where %s is asked for what is not there",
    async (_, row) => {
      for (const id of [UNKNOWN_ID, "no-such-thing", "%00", "a".repeat(3_000)])
        for (const Accept of ["application/json", "text/html"])
          await findRefusal(row, callerFor(row), { headers: { Accept } }, id);
    },
  );

  it.each(named(endpoints.filter(({ body }) => isJson(body))))(
    "where %s gets no body, or a wrong one",
    async (_, row) => {
      const bodies = ["", "{", "[]", '"text"', "null", "7", '{"nonsense": {"": [1]}}', "\u0000", "{}{}"];
      for (const body of bodies) await findRefusal(row, callerFor(row), { body });
    },
  );

  it.each(named(endpoints.filter(takesBody)))("where %s gets too large a body", async (_, row) => {
    const max = bodyLimit(row.body);
    const body = isJson(row.body) ? `{"a": "${"x".repeat(max)}"}` : "x".repeat(max + 1);
    const refusal = await findRefusal(row, callerFor(row), { body });
    if (refusal?.status === 413) expect(refusal.body.max).toBeLessThanOrEqual(max);
    else expect(refusal?.status).toBeOneOf([403, 404, 503]);
  });

  it.each(named(endpoints.filter(({ query }) => query !== undefined)))(
    "where %s gets a query that it does not take",
    async (_, row) => {
      const wrong = "limit=x&cursor=%00&page=-1&timerange=x&version=x&sort=x&deep=x&q=";
      await findRefusal({ ...row, path: `${row.path}?${wrong}` }, callerFor(row));
    },
  );
});

describe("an address of the API that nothing answers to", () => {
  it.each(["/api", "/api/", "/api/nothing", "/api/files/", "/api/jobs/runs/%E0%A4%A"])(
    "%s is 404",
    async (path) => {
      const response = await person.ask(path, { headers: { Accept: "text/html" } });
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ error: "not_found", message: expect.any(String) });
    },
  );
});
