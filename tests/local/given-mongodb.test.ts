import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { MongoClient } from "mongodb";
import { afterAll, describe, expect, it } from "vitest";
import { PROJECT_ROOT } from "#db/local/project-root.ts";
import { required } from "#domain/required.ts";
import { startEngine } from "#tests/support/databases/engine.ts";
import { dropDatabases, newDatabaseName, toDatabaseAddress } from "#tests/support/databases/given-mongodb.ts";
import { createTestPostgres } from "#tests/support/databases/postgres.ts";
import { askServer } from "#tests/support/databases/server-facts.ts";
import {
  findMissingFailPoints,
  findMissingVersion,
  needsEngine,
} from "#tests/support/databases/server-needs.ts";
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

const at = (...path: string[]) => join(PROJECT_ROOT, ...path);
/** What belongs to the run at work is not for the one that it starts. */
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
    "db/engine/tests/fail-points.test.ts": "counts how often it has struck",
  };

  it(
    "tests have databases of their own, name what they skip and why, and leave nothing",
    async () => {
      const claims = { ...RUN, ...SKIPPED };
      const reporters = ["--reporter=default", "--reporter=./tests/support/test-runs/skipped-reporter.ts"];
      const chosen = ["-t", Object.values(claims).join("|")];
      const dropsBefore = await countDrops();

      const tests = run(
        at("node_modules/.bin/vitest"),
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
    "a product of the browser's journeys keeps its documents, until it is stopped",
    async () => {
      const env = { ...onServer, DATABASE_URL: await createTestPostgres() };
      const product = run(process.execPath, [at("tests/support/product/start-product.ts")], {
        cwd: PROJECT_ROOT,
        env,
      });
      const [, url, uri] = await product.line(/^ready (\S+) (\S+)$/);

      expect((await fetch(`${url}/healthz`)).status).toBe(200);
      expect(await listDatabases()).toEqual([new URL(required(uri)).pathname.slice(1)]);
      product.child.kill("SIGTERM");

      expect(await product.exit).toEqual({ code: 0, signal: null });
      expect(await listDatabases()).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    "the bench says so beside its figures, and leaves out by name what measures the engine",
    async () => {
      const into = join(await temporaryDirectory("bench"), "last.json");
      const words = ["engine", "scaling", "--users=1000", `--mongodb=${server.uri}`, `--into=${into}`];

      const bench = run(process.execPath, [at("bench/run.ts"), ...words], {
        env: { ...onServer, TEST_MONGODB_URI: "" },
      });

      expect(await bench.exit, bench.lines.join("\n")).toEqual({ code: 0, signal: null });
      expect(bench.lines).toContain(
        "Skipped: it measures the embedded engine itself, and the documents are on another server.",
      );
      const kept = JSON.parse(readFileSync(into, "utf8"));
      const host = new URL(server.uri).host;
      expect(kept).toMatchObject({
        store: `MongoDB 7.0.0 at mongodb://${host}/`,
        skipped: ["engine"],
        failed: [],
      });
      expect(kept.rows.map(({ part }: { part: string }) => part)).toEqual(["scaling"]);
    },
    TIMEOUT_MS,
  );

  it("a part of the bench gets a database of its own, which goes with it", async () => {
    const script = `
      import { startDocuments } from ${JSON.stringify(at("bench/documents.ts"))};
      import { connectMongo } from ${JSON.stringify(at("db/client.ts"))};
      const documents = await startDocuments("/nonexistent");
      const mongo = await connectMongo(documents.uri, { appName: "test" });
      await mongo.collection("users").insertOne({ name: "Dana" });
      await mongo.close();
      const alive = setInterval(() => {}, 1e9);
      process.once("SIGTERM", () => documents.stop().then(() => clearInterval(alive)));
      console.log("written");`;
    const part = run(process.execPath, ["--input-type=module-typescript", "-e", script], {
      cwd: PROJECT_ROOT,
      env: onServer,
    });
    await part.line(/^written$/);

    expect(await listDatabases()).toEqual([expect.stringMatching(/^test_[0-9a-f]{6}_part_[0-9a-f]{6}$/)]);
    part.child.kill("SIGTERM");

    expect(await part.exit).toEqual({ code: 0, signal: null });
    expect(await listDatabases()).toEqual([]);
  });

  it("a run drops at its end what its killed processes left, and nothing of another run", async () => {
    for (const name of ["test_aaaaaa_users_1", "test_aaaaaa_users_2", "test_bbbbbb_users_1", "test_aaaaaab"])
      await client.db(name).collection("kept").insertOne({});

    await dropDatabases(server.uri, "test_aaaaaa");

    expect((await listDatabases()).sort()).toEqual(["test_aaaaaab", "test_bbbbbb_users_1"]);
    for (const name of await listDatabases()) await client.db(name).dropDatabase();
  });

  it(
    "an address where nobody answers ends the run at once, with the reason",
    async () => {
      const env = { ...onServer, TEST_MONGODB_URI: "mongodb://dana:secret@127.0.0.1:9/" };
      const tests = run(at("node_modules/.bin/vitest"), ["run", "tests/db/accounts/users.test.ts"], {
        cwd: PROJECT_ROOT,
        env,
      });

      expect((await tests.exit).code).toBe(1);
      expect(tests.lines.join("\n")).toContain(
        "TEST_MONGODB_URI: MongoDB at mongodb://127.0.0.1:9/ does not answer.",
      );
    },
    TIMEOUT_MS,
  );
});

describe("the address of a database on the given server", () => {
  it.each([
    ["mongodb://a", "mongodb://a/x"],
    ["mongodb://a/other?w=1", "mongodb://a/x?w=1"],
    ["mongodb+srv://u:p@a/?w=1", "mongodb+srv://u:p@a/x?w=1&authSource=admin"],
    ["mongodb://u:p@a,b/users", "mongodb://u:p@a,b/x?authSource=users"],
    ["mongodb://u:p@a/?authSource=b", "mongodb://u:p@a/x?authSource=b"],
    ["mongodb://u@a/?authMechanism=MONGODB-X509", "mongodb://u@a/x?authMechanism=MONGODB-X509"],
    ["mongodb://%2Ftmp%2Fe.sock/?directConnection=true", "mongodb://%2Ftmp%2Fe.sock/x?directConnection=true"],
  ])("of %s is %s", (given, address) => {
    expect(toDatabaseAddress(given, "x")).toBe(address);
  });

  it("is short enough for the hosts that allow least", () => {
    expect(newDatabaseName("a-test-file-with-a-very-long-name").length).toBeLessThanOrEqual(38);
  });
});

describe("what a test needs of a server", () => {
  const facts = { version: "4.4.29", takesFailPoints: false };

  it.each([
    ["4.4", null],
    ["4.2", null],
    ["4.4.29", null],
    ["4.4.30", "needs MongoDB 4.4.30, and this one is 4.4.29"],
    ["5.0", "needs MongoDB 5.0, and this one is 4.4.29"],
    ["10.0", "needs MongoDB 10.0, and this one is 4.4.29"],
  ])("version %s: %s", (needed, reason) => {
    expect(findMissingVersion(facts, needed)).toBe(reason);
    expect(findMissingVersion({ ...facts, version: "10.1.0-rc1" }, needed)).toBeNull();
  });

  it("is asked of it: fail points are there where it was started for tests", async () => {
    const testing = await startEngine({ testCommands: true });
    try {
      expect(await askServer(server.uri)).toEqual({ version: "7.0.0", takesFailPoints: false });
      const facts = await askServer(testing.uri);
      expect(findMissingFailPoints(facts)).toBeNull();
    } finally {
      await testing.stop();
    }
  });
});

const read = (path: string) => readFileSync(at(path), "utf8");

it("a test that reaches into the engine, or starts one, says that it needs it", () => {
  const files = globSync(["tests/**/*.test.ts", "db/engine/tests/**/*.test.ts"], { cwd: PROJECT_ROOT });
  const reaching = files.filter((file) =>
    /^(import|}) .*"#db\/engine\/|\bstartEngine\(|findRunningEngine\(|crashRounds\(/m.test(read(file)),
  );
  expect(reaching.length).toBeGreaterThan(15);

  expect(reaching.filter((file) => !/^ *needs(Engine|FailPoints)\(/m.test(read(file)))).toEqual([]);
});

it("no other place than the helper decides by TEST_MONGODB_URI", () => {
  const deciding = ["tests/**/*.ts", "db/engine/tests/**/*.ts", "bench/**/*.ts"]
    .flatMap((pattern) => globSync(pattern, { cwd: PROJECT_ROOT }))
    .filter((file) => /process\.env\.TEST_MONGODB_URI/.test(read(file)))
    .sort();
  expect(deciding).toEqual(["bench/run.ts", "tests/support/databases/given-mongodb.ts"]);
});

/** Operators, stages and accumulators that came with 5.0 or later. */
const LATER =
  `$bitAnd $bitNot $bitOr $bitXor $bottom $bottomN $changeStreamSplitLargeEvent $covariancePop $covarianceSamp $dateAdd
  $dateDiff $dateSubtract $dateTrunc $denseRank $densify $derivative $documents $documentNumber $expMovingAvg $fill $firstN $getField
  $integral $lastN $linearFill $locf $maxN $median $minN $percentile $rand $rank $sampleRate $setField $setWindowFields $shift
  $sortArray $toHashedIndexKey $top $topN $tsIncrement $tsSecond $unsetField`.split(/\s+/);

it("the product asks for nothing that the oldest supported MongoDB lacks", () => {
  const files = globSync(["db/**/*.ts", "worker/**/*.ts", "app/**/*.ts"], { cwd: PROJECT_ROOT }).filter(
    (file) => !file.startsWith("db/engine/"),
  );
  const used = new Set(files.flatMap((file) => read(file).match(/(?<![`\w])\$[a-z]\w+/g) ?? []));
  expect([...used]).toEqual(expect.arrayContaining(["$set", "$group", "$setOnInsert"]));

  expect(LATER.filter((name) => used.has(name))).toEqual([]);
});
