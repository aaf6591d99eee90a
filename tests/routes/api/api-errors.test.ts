import { describe, expect, it } from "vitest";
import type { Endpoint } from "#app/http/api/api.server.ts";
import { endpoints } from "#app/http/api/table.server.ts";
import { ABSENT_ID } from "#tests/support/given.ts";
import { ADMIN_ID, openTestWeb } from "#tests/support/web.ts";

/** Each refusal has the one shape that docs/api.md gives. The rows come from the table, so that a new endpoint is asked, too. */
const web = await openTestWeb();
const person = await web.person();
const admin = await web.person(ADMIN_ID);

const toAddress = ({ path }: Endpoint) => String(path).replace(/[:*]\w+/g, ABSENT_ID);
const named = (rows: readonly Endpoint[]) => rows.map((row) => [`${row.method} ${row.path}`, row] as const);

function expectRefusal({ onFailure }: Endpoint, response: Response, body: Record<string, string>): void {
  expect(response.headers.get("Content-Type")).toMatch(/^application\/json/);
  expect(response.headers.get("X-Request-Id")).toMatch(/^.{8,}$/);
  expect(body).toMatchObject({ ...onFailure, error: expect.stringMatching(/\S/) });
  expect(body.code).toMatch(/^[a-z][a-z0-9_]*$/);
  // A code is for programs; people get words, in `error` if it is no code and otherwise in `message`.
  if (body.error === body.code) expect(body.message).toMatch(/\S \S.*[.!?]$/);
  else expect(body.error).toMatch(/^[A-Z]/);
}

describe("a refusal has one shape", () => {
  it.each(named(endpoints.filter(({ gate }) => gate !== "public")))(
    "of %s without a session, by a wrong token and by a method that it does not know",
    async (_, row) => {
      const visitor = web.visitor();
      const Authorization = `Bearer cs_${"x".repeat(40)}`;
      for (const headers of [{}, { Accept: "image/png" }, { Authorization }] as Record<string, string>[]) {
        const refused = await visitor.ask(toAddress(row), { method: row.method, headers });
        const body = await refused.json();
        expectRefusal(row, refused, body);
        expect(body).toMatchObject({ code: "auth_required", redirect: "/login" });
        if (headers.Authorization) expect(body.message).toBe("This token is not valid.");
      }
      const unknown = await (row.gate === "admin" ? admin : person).ask(toAddress(row), {
        method: "OPTIONS",
      });
      expectRefusal(row, unknown, await unknown.json());
      // A link or a form of a page leads there: a browser goes to the login.
      const { status, headers } = await visitor.page(toAddress(row), { method: row.method });
      expect([status, headers.get("Location")?.split("?")[0]]).toEqual([302, "/login"]);
    },
  );

  it.each(named(endpoints.filter(({ query }) => query !== undefined)))(
    "of %s with a query that it does not take",
    async (_, row) => {
      const wrong = "limit=x&cursor=%00&page=-1&timerange=x&version=x&sort=x&deep=x&q=";
      const visitor = row.gate === "admin" ? admin : person;
      const response = await visitor.ask(`${toAddress(row)}?${wrong}`, { method: row.method });
      expect(response.status).not.toBe(500);
      const text = await response.text();
      if (response.status >= 400) expectRefusal(row, response, JSON.parse(text));
    },
  );
});

it.each(["/api", "/api/", "/api/nothing", "/api/files/", "/api/jobs/runs/%E0%A4%A"])(
  "%s, to which nothing of the API answers, is 404",
  async (path) => {
    const response = await person.page(path);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: "not_found", message: expect.any(String) });
  },
);
