import { expect, it } from "vitest";
import { ADMIN_ID, openTestWeb } from "#tests/support/web.ts";

const web = await openTestWeb();
const admin = await web.person(ADMIN_ID);
const id = await admin.saveFile("a.py", "x\n");

const LISTS = [
  "/api/files",
  "/api/tree",
  "/api/search?q=x",
  "/api/observability/alerts",
  "/api/observability/replay",
  "/api/jobs/runs",
  "/api/trash",
  `/api/file/${id}/versions`,
  "/notes",
  "/files",
  "/trash",
];

it.each(LISTS)(
  "%s refuses a foreign cursor in the same words, and an empty one starts the list",
  async (path) => {
    const read = async (cursor: string) => {
      const { status, body } = await admin.send(
        "GET",
        `${path}${path.includes("?") ? "&" : "?"}cursor=${cursor}`,
      );
      return [status, body.code];
    };
    for (const cursor of ["zzz", "x".repeat(3_000), "%00", "-1", "[]", "1.5", "1e999"])
      expect(await read(cursor), cursor.slice(0, 10)).toEqual([400, "invalid_cursor"]);
    expect(await read("")).toEqual([200, undefined]);
  },
);
