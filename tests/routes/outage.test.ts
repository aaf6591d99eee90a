import { MongoNetworkError, MongoServerError } from "mongodb";
import { afterAll, describe, expect, it } from "vitest";
import { COLLECTIONS } from "#db/collections.ts";
import { delayWritesWhilePaused } from "#db/core/driver/paused-writes.ts";
import type { WritingDoc } from "#db/core/installation/documents.ts";
import { createWritingPause } from "#db/core/installation/writing-pause.ts";
import { listKeys } from "#domain/typed-keys.ts";
import { withCollection } from "#tests/support/databases/replaced-collection.ts";
import { createDavClient } from "#tests/support/dav/dav-client.ts";
import { openTestWeb, refusal } from "#tests/support/web.ts";

const web = await openTestWeb();
const dana = await web.person("50");
const file_id = await dana.saveFile("a.txt", "x");

/** While `work` runs, every query of the collection fails as if the server were gone. */
function without(collection: "users" | "files", failure: Error, work: () => Promise<void>) {
  const fail = () => {
    throw failure;
  };
  return withCollection(web.db, collection, () => fail, work);
}

const gone = new MongoNetworkError("connection refused");
const paths = ["/dashboard", "/files", "/api/files", `/file/${file_id}`, `/download/${file_id}`];

describe("while the database is away,", () => {
  it.each(paths)("%s answers 503 and neither an empty list nor a 404", async (path) => {
    expect((await dana.ask(path)).status).toBe(200);
    for (const collection of ["users", "files"] as const)
      await without(collection, gone, async () => {
        const body = { error: "storage_unavailable" };
        expect(await dana.send("GET", path)).toMatchObject({ status: 503, body });
      });
  });

  it.each(["/files", `/download/${file_id}`])(
    "a person sees a page at %s that says so, in their language, and no stack",
    async (path) => {
      await without("users", gone, async () => {
        const { status, html } = await dana.show(path, { "Accept-Language": "he" });
        expect(status).toBe(503);
        expect(html).toContain("מסד הנתונים אינו זמין");
        expect(html).not.toMatch(/connection refused|MongoNetworkError|at .*\.ts:\d/);
      });
    },
  );

  it("an address is opened again, and a form is sent again from the page that still has its text", async () => {
    const again = '<a class="button button-primary" href="">Try again</a>';
    const back = "Go back in your browser and send them again.";
    await without("users", gone, async () => {
      const read = await dana.read("/upload?folder=1");
      expect(read).toContain(again);
      expect(read).not.toContain(back);
      const body = new URLSearchParams({ file_name: "a.txt", text: "typed" });
      const sent = await dana.page("/upload", { method: "POST", body });
      expect(sent.status).toBe(503);
      const html = await sent.text();
      expect(html).toContain(back);
      expect(html).not.toContain(again);
    });
  });

  it("saving is refused with 503 and keeps what was typed out of the log", async () => {
    // This minute's events are already emitted.
    web.clock.pass(60_000);
    await without("files", gone, async () => {
      const response = await dana.ask("/api/files/private-name.txt", { method: "PUT", body: "private text" });
      expect(response.status).toBe(503);
    });
    expect(web.log.join("")).toContain("connection refused");
    expect(web.log.join("")).not.toMatch(/private/);
    expect((await web.events("request_failed")).at(-1)).toMatchObject({
      code: "storage_unavailable",
      method: "PUT",
      resource: { type: "endpoint", id: "PUT /api/files/*path" },
    });
  });

  it("a query that the server ended for its time is 503, too, and its event names the query", async () => {
    const ended = new MongoServerError({
      code: 50,
      codeName: "MaxTimeMSExpired",
      errmsg: "exceeded time limit",
    });
    web.clock.pass(60_000);
    await without("files", ended, async () => {
      const refused = await dana.send("GET", "/api/files");
      expect(refused).toMatchObject(refusal(503, "storage_unavailable"));
      expect(refused.headers.get("Retry-After")).toBe("5");
    });
    expect((await web.events("request_failed")).at(-1)).toMatchObject({
      code: "storage_unavailable",
      error: "MaxTimeMSExpired",
    });
  });

  it("the home page is still there for those who are not logged in", async () => {
    await without("users", gone, async () => {
      expect((await web.visitor().page("/")).status).toBe(200);
    });
  });
});

it("an internal error is 500 without its cause, and a page explains once what to do about it", async () => {
  await without("files", new TypeError("x is not a function"), async () => {
    expect(await dana.send("GET", "/api/files")).toMatchObject(
      refusal(500, "internal", { code: "internal", message: expect.any(String) }),
    );
    const { status, html } = await dana.show("/files");
    expect(status).toBe(500);
    expect(html).not.toContain("x is not a function");
    const body = html.slice(html.indexOf("<main"));
    expect(body.match(/Something went wrong/g)).toHaveLength(1);
    expect(body).toContain("send the request ID to an administrator");
  });
});

describe("while a move has paused writing", async () => {
  const drive = await createDavClient(web, "50", "write");
  const { installation } = web.db;
  const writing = createWritingPause(() => installation.findOne<WritingDoc>({ _id: "writing" }), {
    waitMs: 0,
    lookEveryMs: 10,
  });
  Object.assign(web.db, { writing });
  for (const name of listKeys(COLLECTIONS))
    delayWritesWhilePaused(web.mongo.collections[name] as never, writing);
  afterAll(() => writing.close());

  async function pause(isPaused: boolean) {
    const paused_until = isPaused ? new Date(Date.now() + 60_000) : null;
    await web.mongo
      .collection("installation")
      .updateOne({ _id: "writing" as never }, { $set: { paused_until, moved_at: null } }, { upsert: true });
    await expect.poll(() => writing.isPaused(), { timeout: 10_000 }).toBe(isPaused);
  }

  it("saving is refused with 503, Retry-After and the reason, by page, API and WebDAV, and works afterwards", async () => {
    await pause(true);
    const refused = await dana.send("PUT", "/api/files/b.txt", "x");
    const message = expect.stringContaining("paused for a move");
    expect(refused).toMatchObject(refusal(503, "writing_paused", { message }));
    expect(refused.headers.get("Retry-After")).toBe("5");
    const page = await dana.press("/upload", { file_name: "b.txt", text: "x" });
    expect(page.status).toBe(503);
    expect(page.html).toContain("while the library moves to another server");
    expect((await drive.ask("PUT", "/b.txt", {}, "x")).status).toBe(503);

    await pause(false);
    expect((await dana.ask("/api/files/b.txt", { method: "PUT", body: "x" })).status).toBe(201);
    expect((await drive.ask("PUT", "/c.txt", {}, "x")).status).toBe(201);
  });

  it.each([...paths, "/notes", "/search?q=x", "/settings/sessions", "/trash", "/repos", "/settings/devices"])(
    "%s can be read, also after an hour",
    async (path) => {
      expect((await dana.ask(path)).status).toBeLessThan(400);
      await pause(true);
      // Sessions, tokens and files record their use at intervals.
      web.clock.pass(3_600_000);
      const response = await dana.show(path);
      await pause(false);
      expect(response.status).toBe(200);
    },
  );

  it("a token still opens the library", async () => {
    await pause(true);
    web.clock.pass(3_600_000);
    expect((await drive.ask("PROPFIND", "/", { Depth: "1" })).status).toBe(207);
    expect(await (await drive.ask("GET", "/a.txt")).text()).toBe("x");
    await pause(false);
  });

  it("a write without a check of its own is held back and reported as the pause", async () => {
    const { writing: watched } = web.db;
    Object.assign(web.db, { writing: { ...watched, isPaused: () => false } });
    await pause(true);
    const refused = await dana.send("PUT", "/api/files/d.txt", "x");
    await pause(false);
    Object.assign(web.db, { writing: watched });
    expect(refused).toMatchObject(refusal(503, "writing_paused"));
    expect((await dana.ask("/api/files/d.txt")).status).toBe(404);
  });
});
