import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ensureIndexes } from "#db/indexes.ts";
import { releaseQueue } from "#db/queue.server.ts";
import { silentLog } from "#platform/log.ts";
import { startOldMongoDB } from "#tests/support/old-mongodb.ts";
import { createTestPostgres } from "#tests/support/postgres.ts";
import { run } from "#tests/support/running.ts";
import { openTestStore } from "#tests/support/store.ts";

const { uri, mongo, events } = await openTestStore();
const databaseUrl = await createTestPostgres();
await releaseQueue({ databaseUrl, log: silentLog });
const dataDirectory = mkdtempSync(join(tmpdir(), "codeshelf-web-"));
afterAll(() => rmSync(dataDirectory, { recursive: true }));

const program = (name: string) => join(import.meta.dirname, "..", "..", name);
const addresses = { PATH: process.env.PATH, MONGODB_URI: uri, DATABASE_URL: databaseUrl };

describe("the web process", () => {
  it("says where it is ready, announces its start, finishes what it serves and leaves in order", async () => {
    const env = { ...addresses, DATA_DIR: dataDirectory, PORT: "0", HOST: "127.0.0.1" };
    const web = run(process.execPath, [program("app/server.ts")], { env });
    const [, url] = await web.line(/"event":"ready".*"url":"([^"]+)"/);
    expect((await fetch(url)).status).toBe(200);

    web.child.kill("SIGTERM");

    expect(await web.exit).toEqual({ code: 0, signal: null });
    await expect(fetch(url)).rejects.toThrow();
    expect(await events("internal_web_started")).toMatchObject([
      { severity: "info", port: Number(new URL(url).port) },
    ]);
  });

  it("tells at its start that the bin does not empty itself", async () => {
    await mongo.collection("file_bodies").dropIndex("bin_expiry");
    const env = { ...addresses, DATA_DIR: dataDirectory, PORT: "0", HOST: "127.0.0.1" };
    const web = run(process.execPath, [program("app/server.ts")], { env });
    await web.line(/"event":"db_recycle_bin_ttl_index_missing".*"state":"missing"/);
    await web.line(/"event":"ready"/);

    web.child.kill("SIGTERM");

    expect(await web.exit).toEqual({ code: 0, signal: null });
    const told = await mongo
      .collection("events")
      .find({ event: "db_recycle_bin_ttl_index_missing" })
      .toArray();
    expect(told).toMatchObject([{ severity: "error", state: "missing" }]);
    await ensureIndexes(mongo.collection);
  });

  it("does not start in production without its secrets, and names them all", async () => {
    const web = run(process.execPath, [program("app/server.ts")], {
      env: { ...addresses, NODE_ENV: "production" },
    });
    expect((await web.exit).code).toBe(1);
    expect(web.lines.join("\n")).toMatch(/MESSENGER_BOT_TOKEN is missing[\s\S]*SESSION_SECRET is missing/);
  });
});

describe("the release step", () => {
  it("can be run again and again", async () => {
    for (let i = 0; i < 2; i += 1) {
      const release = run(process.execPath, [program("db/release.ts")], { env: addresses });
      expect(await release.exit).toEqual({ code: 0, signal: null });
      expect(release.lines.join()).toContain('"event":"released"');
    }
  });
});

/** Nobody listens there; the name after it resolves nowhere. */
const DEAD = "127.0.0.1:9";
const UNRESOLVED = "nowhere.invalid:27017";
const PASSWORD = "a-password-of-tests";

const saidBy = (lines: string[]) =>
  lines
    .flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []))
    .filter(({ severity }) => severity === "error");

describe("a database that cannot be used", async () => {
  const wrongPassword = new URL(databaseUrl);
  wrongPassword.password = PASSWORD;

  const old = await startOldMongoDB();
  afterAll(() => old.close());

  it.each([
    ["MongoDB", "too_old", { MONGODB_URI: old.uri }],
    ["MongoDB", "unreachable", { MONGODB_URI: `mongodb://dana:${PASSWORD}@${DEAD}/shelf` }],
    ["MongoDB", "unresolved_host", { MONGODB_URI: `mongodb://dana:${PASSWORD}@${UNRESOLVED}/shelf` }],
    ["PostgreSQL", "unreachable", { DATABASE_URL: `postgres://dana:${PASSWORD}@${DEAD}/shelf` }],
    ["PostgreSQL", "unresolved_host", { DATABASE_URL: `postgres://dana:${PASSWORD}@${UNRESOLVED}/shelf` }],
    ["PostgreSQL", "wrong_credentials", { DATABASE_URL: wrongPassword.href }],
  ])("%s, %s: the release step says so in one line and ends with 1", async (database, problem, address) => {
    const release = run(process.execPath, [program("db/release.ts")], { env: { ...addresses, ...address } });
    expect((await release.exit).code).toBe(1);
    expect(saidBy(release.lines)).toMatchObject([{ event: "database_unavailable", database, problem }]);
    expect(release.lines.join("\n")).not.toMatch(new RegExp(`${PASSWORD}|    at `));
  });

  it.each(["app/server.ts", "worker/index.ts"])(
    "%s waits, says so and leaves when it is told to",
    async (name) => {
      const env = {
        ...addresses,
        DATA_DIR: dataDirectory,
        PORT: "0",
        MONGODB_URI: `mongodb://${DEAD}/shelf`,
      };
      const waiting = run(process.execPath, [program(name)], { env });
      await waiting.line(/"event":"database_unavailable".*"problem":"unreachable"/);

      waiting.child.kill("SIGTERM");

      expect(await waiting.exit).toEqual({ code: 0, signal: null });
      expect(waiting.lines.join("\n")).not.toContain("    at ");
    },
  );
});
