import { join } from "node:path";
import { MongoClient } from "mongodb";
import { afterAll, describe, expect, it } from "vitest";
import { DATA_VERSION, writeDataVersion } from "#db/core/installation/data-version.ts";
import { ensureIndexes } from "#db/open/indexes/ensure-indexes.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { startEngine } from "#tests/support/databases/engine.ts";
import { startOldMongoDB } from "#tests/support/databases/old-mongodb.ts";
import { createReleasedPostgres } from "#tests/support/databases/postgres.ts";
import { needsEngine } from "#tests/support/databases/server-needs.ts";
import { run } from "#tests/support/programs/running.ts";
import { openTestStore } from "#tests/support/store.ts";
import { itInFullRun } from "#tests/support/test-runs/full-run.ts";
import { directoryOfFile } from "#tests/support/test-runs/temporary-directory.ts";
import { drawCases } from "#tests/support/test-runs/tier.ts";

const { uri, mongo, events } = await openTestStore();
const databaseUrl = await createReleasedPostgres();
const dataDirectory = directoryOfFile("web");

const addresses = { PATH: process.env.PATH, MONGODB_URI: uri, DATABASE_URL: databaseUrl };
const here = { DATA_DIR: dataDirectory, PORT: "0", HOST: "127.0.0.1" };
const start = (program: string, env: object = here) =>
  run(process.execPath, [join(PROJECT_ROOT, program)], { env: { ...addresses, ...env } });
const release = (env = {}) => start("db/release.ts", env);

it.each(drawCases("older processes", ["db/release.ts", "app/server.ts", "worker/index.ts"], 1))(
  "%s of a release older than the data says so in one line and ends",
  async (name) => {
    await writeDataVersion(mongo.collections, DATA_VERSION + 1, new Date());
    const ended = start(name);
    expect(await ended.exit).toEqual({ code: 1, signal: null });
    expect(ended.lines.filter((line) => line.includes('"data_too_new"'))).toHaveLength(1);
    expect(ended.lines.join()).toContain("start the newer release again");
    await mongo.collections.installation.deleteMany({});
  },
);

describe("the web process", () => {
  it("reports its address and that the trash does not empty itself, and stops in order", async () => {
    await mongo.collection("file_bodies").dropIndex("bin_expiry");
    const web = start("app/server.ts");
    await web.line(/"event":"db_recycle_bin_ttl_index_missing".*"state":"missing"/);
    const [, url = ""] = await web.line(/"event":"ready".*"url":"([^"]+)"/);
    expect((await fetch(url)).status).toBe(200);

    web.child.kill("SIGTERM");

    expect(await web.exit).toEqual({ code: 0, signal: null });
    await expect(fetch(url)).rejects.toThrow();
    const port = Number(new URL(url).port);
    const started = await events("internal_web_started");
    expect(started.filter((event) => event.port === port)).toMatchObject([{ severity: "info" }]);
    const stored = mongo.collection("events").find({ event: "db_recycle_bin_ttl_index_missing" });
    expect(await stored.toArray()).toMatchObject([{ severity: "error", state: "missing" }]);
    await ensureIndexes(mongo.collection);
  });

  it("does not start in production without its secrets, and names them all", async () => {
    const web = start("app/server.ts", { NODE_ENV: "production" });
    expect((await web.exit).code).toBe(1);
    expect(web.lines.join("\n")).toMatch(/MESSENGER_BOT_TOKEN or OIDC_ISSUER is missing/);
    expect(web.lines.join("\n")).toMatch(/SESSION_SECRET is missing/);
  });
});

describe("the release step", () => {
  it("can be run again and again", async () => {
    for (let i = 0; i < 2; i += 1) {
      const { exit, lines } = release();
      expect(await exit).toEqual({ code: 0, signal: null });
      expect(lines.join()).toContain('"event":"released"');
      expect(lines.join()).toMatch(/"event":"release_step".*"step":"checking the indexes".*"ms":\d/);
    }
  });

  describe("that takes too long", () => {
    needsEngine("it sets a fail point, of which a server has one for all");

    itInFullRun(
      "says what it waited for when its time has passed, ends with 1, and goes on when it is run again",
      async () => {
        const engine = await startEngine({ testCommands: true });
        const client = await MongoClient.connect(engine.uri);
        const block = (mode: object | string) =>
          client.db("admin").command({
            configureFailPoint: "failCommand",
            mode,
            data: { failCommands: ["createIndexes"], blockConnection: true, blockTimeMS: 600_000 },
          });
        await block({ skip: 3, times: 1 });

        const stuck = release({ MONGODB_URI: engine.uri, RELEASE_TIMEOUT_SECONDS: "20" });
        expect((await stuck.exit).code).toBe(1);
        expect(saidBy(stuck.lines)).toMatchObject([
          { event: "db_recycle_bin_ttl_index_missing" },
          { event: "release_timed_out", step: expect.stringMatching(/^index \w+\.\w+$/) },
        ]);

        await block("off");
        const again = release({ MONGODB_URI: engine.uri, RELEASE_TIMEOUT_SECONDS: "600" });
        expect((await again.exit).code).toBe(0);
        await client.close();
        await engine.stop();
      },
    );
  });

  itInFullRun("names an index that cannot be built, continues with the others and ends with 1", async () => {
    const shares = mongo.collection("shares");
    await shares.dropIndex("slot");
    await shares.dropIndex("once");
    await shares.insertMany(["a", "b"].map((_id) => ({ _id, user_id: "1", slot: 0 })) as never);

    const { exit, lines } = release();

    expect((await exit).code).toBe(1);
    expect(saidBy(lines)).toMatchObject([
      { event: "index_not_built", collection: "shares", index: "slot" },
      { event: "release_incomplete", indexes: [{ collection: "shares", index: "slot", state: "missing" }] },
    ]);
    await shares.deleteMany({});
    await ensureIndexes(mongo.collection);
  });
});

/** Nothing listens here. */
const DEAD = "127.0.0.1:9";
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

  const PROBLEMS = [
    ["MongoDB", "too_old", { MONGODB_URI: old.uri }],
    ["MongoDB", "unreachable", { MONGODB_URI: `mongodb://dana:${PASSWORD}@${DEAD}/shelf` }],
    ["PostgreSQL", "unreachable", { DATABASE_URL: `postgres://dana:${PASSWORD}@${DEAD}/shelf` }],
    ["PostgreSQL", "wrong_credentials", { DATABASE_URL: wrongPassword.href }],
  ] as const;
  it.each(drawCases("problems of databases", PROBLEMS, 1))(
    "%s, %s: the release step says so in one line and ends with 1",
    async (database, problem, address) => {
      const { exit, lines } = release(address);
      expect((await exit).code).toBe(1);
      expect(saidBy(lines)).toMatchObject([{ event: "database_unavailable", database, problem }]);
      expect(lines.join("\n")).not.toMatch(new RegExp(`${PASSWORD}|    at `));
    },
  );

  it.each(drawCases("processes that wait", ["app/server.ts", "worker/index.ts"], 1))(
    "%s waits, says so and leaves when it is told to",
    async (name) => {
      const waiting = start(name, { ...here, MONGODB_URI: `mongodb://${DEAD}/shelf` });
      await waiting.line(/"event":"database_unavailable".*"problem":"unreachable"/);

      waiting.child.kill("SIGTERM");

      expect(await waiting.exit).toEqual({ code: 0, signal: null });
      expect(waiting.lines.join("\n")).not.toContain("    at ");
    },
  );
});
