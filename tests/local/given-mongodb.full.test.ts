import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MongoClient } from "mongodb";
import { afterAll, describe, expect, it } from "vitest";
import { PROJECT_ROOT } from "#db/local/project-root.ts";
import { startEngine } from "#tests/support/databases/engine.ts";
import { needsEngine } from "#tests/support/databases/server-needs.ts";
import { run } from "#tests/support/programs/running.ts";
import { temporaryDirectory } from "#tests/support/test-runs/temporary-directory.ts";

needsEngine("it starts the engine that stands for another server");

const TIMEOUT_MS = 180_000;
const server = await startEngine({ tcp: true });
const client = await MongoClient.connect(server.uri);
afterAll(async () => {
  await client.close();
  await server.stop();
});

const inRoot = (...path: string[]) => join(PROJECT_ROOT, ...path);
/** The inner run must not see the variables of this one. */
const own = Object.entries(process.env).filter(
  ([name]) => !/^(VITEST|CODESHELF_|NODE_ENV$|TEST$)/.test(name),
);
const onServer = { ...Object.fromEntries(own), TEST_MONGODB_URI: server.uri };

async function listDatabases(): Promise<string[]> {
  const { databases } = await client.db("admin").admin().listDatabases({ nameOnly: true });
  return databases.map(({ name }) => name);
}

const countDrops = async () =>
  (await client.db("admin").command({ serverStatus: 1 })).opcounters.dropDatabase ?? 0;

describe("on the MongoDB of TEST_MONGODB_URI", () => {
  const RUN = {
    "tests/db/accounts/users.test.ts": "makes the person once",
    "tests/routes/http/health.test.ts": "it is up",
  };
  const SKIPPED = {
    "db/engine/tests/keys.test.ts": "comes back from its bytes",
    "db/engine/tests/fail-points.test.ts": "strikes only the client with the name it says",
  };

  it(
    "tests have databases of their own, name skipped tests with the reason, and leave nothing",
    async () => {
      const claims = { ...RUN, ...SKIPPED };
      const reporters = ["--reporter=default", "--reporter=./tests/support/test-runs/skipped-reporter.ts"];
      const chosen = ["-t", Object.values(claims).join("|")];
      const dropsBefore = await countDrops();

      const tests = run(
        inRoot("node_modules/.bin/vitest"),
        ["run", ...Object.keys(claims), ...reporters, ...chosen],
        { cwd: PROJECT_ROOT, env: { ...onServer, NO_COLOR: "1" } },
      );

      expect(await tests.exit, tests.lines.join("\n")).toEqual({ code: 0, signal: null });
      expect(tests.lines.join("\n")).toMatch(/Tests +2 passed /);
      expect(tests.lines.slice(tests.lines.indexOf("Skipped:"))).toEqual([
        "Skipped:",
        "  db/engine/tests/fail-points.test.ts: 1 test, needs fail points, and this MongoDB refuses configureFailPoint",
        "  db/engine/tests/keys.test.ts: 1 test, only on the embedded engine: it tests functions of the engine",
      ]);
      expect((await countDrops()) - dropsBefore).toBeGreaterThanOrEqual(Object.keys(RUN).length);
      expect(await listDatabases()).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    "the bench says so beside its figures, and leaves out by name what measures the engine",
    async () => {
      const into = join(await temporaryDirectory("bench"), "last.json");
      const words = ["engine", "scaling", "--users=1000", `--mongodb=${server.uri}`, `--into=${into}`];

      const bench = run(process.execPath, [inRoot("bench/run.ts"), ...words], {
        env: { ...onServer, TEST_MONGODB_URI: "" },
      });

      expect(await bench.exit, bench.lines.join("\n")).toEqual({ code: 0, signal: null });
      expect(bench.lines).toContain(
        "Skipped: it measures the embedded engine itself, and the documents are on another server.",
      );
      const report = JSON.parse(readFileSync(into, "utf8"));
      const host = new URL(server.uri).host;
      expect(report).toMatchObject({
        store: `MongoDB 7.0.0 at mongodb://${host}/`,
        skipped: ["engine"],
        failed: [],
      });
      expect(report.rows.map(({ part }: { part: string }) => part)).toEqual(["scaling"]);
    },
    TIMEOUT_MS,
  );
});
