import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Double, Long } from "mongodb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Connection, connectMongo } from "#db/client.ts";
import { findDataProblem, writeDataVersion } from "#db/core/installation/data-version.ts";
import { type EngineServer, startEngine } from "#db/local/engine.ts";
import { moveLibrary } from "#db/local/move/move-library.ts";
import { cancelMove, startOrContinueMove } from "#db/local/move/move-state.ts";
import { storeGivenKeys } from "#db/local/move/moved-keys.ts";
import { fillLibrary } from "#db/local/sample/library.ts";
import { verifyIndexes } from "#db/open/indexes/ensure-indexes.ts";
import { DAY_MS, MINUTE_MS } from "#domain/time/durations.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { needsEngine } from "#tests/support/databases/server-needs.ts";
import { run } from "#tests/support/programs/running.ts";
import { itInFullRun } from "#tests/support/test-runs/full-run.ts";

needsEngine("it starts the engine of a data directory");

const home = await mkdtemp(join(tmpdir(), "codeshelf-move-"));
/** Starts several processes, one after another. */
const PATIENT = { timeout: 120_000 };
const KEY = "a key that is kept in the data directory";
const opened: Connection[] = [];
let elsewhere: EngineServer;
let places = 0;

/** The address of an empty database on another server than the data directory's. */
function givenPlace(): string {
  places += 1;
  return elsewhere.uri.replace("/?", `/place${places}?`);
}

async function connect(uri: string, isServing = false): Promise<Connection> {
  const whilePaused = isServing ? { waitMs: 0, lookEveryMs: 10 } : undefined;
  const connection = await connectMongo(uri, { appName: "codeshelf-test", whilePaused });
  opened.push(connection);
  return connection;
}

async function fill({ collections }: Connection, files: number): Promise<void> {
  const now = new Date();
  await fillLibrary({ ...collections, emit: () => {} }, { ownerId: "1", from: 0, to: files, now });
  await writeDataVersion(collections, 1, now);
}

const move = (source: Connection, target: Connection) =>
  moveLibrary({
    source,
    target,
    movedTo: "elsewhere",
    say: () => {},
    beforeEnd: async () => {},
    settleMs: 500,
  });

const command = (dataDir: string, ...words: string[]) =>
  run(process.execPath, [join(PROJECT_ROOT, "db/local/move.ts"), ...words], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir },
  });

/** A data directory with a library and a kept key, used by no process. */
async function givenDataDirectory(files: number): Promise<string> {
  const dataDir = await mkdtemp(join(home, "data-"));
  await mkdir(join(dataDir, "secrets"));
  await writeFile(join(dataDir, "secrets", "session-secret"), KEY);
  const engine = await startEngine({ directory: join(dataDir, "engine"), log: () => {}, sync: "normal" });
  const mongo = await connectMongo(engine.uri, { appName: "codeshelf-test" });
  await fill(mongo, files);
  await mongo.close();
  await engine.stop();
  return dataDir;
}

beforeAll(async () => {
  elsewhere = await startEngine({ directory: join(home, "elsewhere"), log: () => {}, sync: "normal" });
});

afterAll(async () => {
  for (const connection of opened) await connection.close();
  await elsewhere.stop();
  await rm(home, { recursive: true, force: true });
});

describe("a move while people use the library", () => {
  it(
    "takes acknowledged writes along, and then refuses writing while reading continues",
    PATIENT,
    async () => {
      const here = givenPlace();
      const [source, target, people] = [
        await connect(here),
        await connect(givenPlace()),
        await connect(here, true),
      ];
      await fill(source, 100);
      const { job_settings } = people.collections;
      let next = 0;
      const acknowledged = new Map<string, boolean>();
      const write = async () => {
        for (;;) {
          const _id = `s${next++}`;
          await job_settings.insertOne({ _id, enabled: true });
          acknowledged.set(_id, true);
          const changed = `s${Math.floor(next / 2)}`;
          const { modifiedCount } = await job_settings.updateOne(
            { _id: changed },
            { $set: { enabled: false } },
          );
          if (modifiedCount > 0) acknowledged.set(changed, false);
        }
      };
      const refused = write().catch((error) => error);
      await expect.poll(() => next, { timeout: 20_000 }).toBeGreaterThan(20);
      const before = acknowledged.size;

      const { comparisons } = await move(source, target);

      expect(await refused).toMatchObject({ name: "WritingPaused" });
      expect(acknowledged.size).toBeGreaterThan(before);
      const stored = await target.collections.job_settings.find().toArray();
      for (const [_id, enabled] of acknowledged) expect(stored).toContainEqual({ _id, enabled });
      expect(await job_settings.countDocuments()).toBe(stored.length);
      const files = comparisons.find(({ collection }) => collection === "files");
      expect(files).toMatchObject({ source: { documents: 100 }, differences: 0 });
      expect(files?.target).toEqual(files?.source);
      const states = (await verifyIndexes(target.collection)).map(({ state }) => state);
      expect(new Set(states)).toEqual(new Set(["present"]));
    },
  );

  it("keeps the types of numbers, and does not wait for documents that expire", async () => {
    const [source, target] = [await connect(givenPlace()), await connect(givenPlace())];
    const document = {
      _id: "typed" as never,
      whole: new Double(2),
      long: Long.fromNumber(7),
      10: "a",
      2: "b",
    };
    await source.collection("alerts").insertOne(document);
    const soon = { _id: "soon" as never, raised_at: new Date(Date.now() - DAY_MS + MINUTE_MS) };
    await source.collection("alert_cooldowns").insertOne(soon);

    const { comparisons } = await move(source, target);

    const exact = { promoteValues: false, promoteLongs: false };
    const [there] = await target.collection("alerts").find({}, exact).toArray();
    expect(there).toEqual(document);
    const cooldowns = comparisons.find(({ collection }) => collection === "alert_cooldowns");
    expect(cooldowns?.source.documents).toBe(0);
    expect(await target.collection("alert_cooldowns").countDocuments()).toBe(1);
  });
});

describe("npm run move", () => {
  itInFullRun("continues after it was killed, and says which variables to set", PATIENT, async () => {
    const dataDir = await givenDataDirectory(100);
    const to = givenPlace();
    const target = await connect(to);

    for (const moment of [/^file_versions: /, /^Writing is paused/]) {
      const killed = command(dataDir, "--to", to);
      await killed.line(moment);
      killed.child.kill("SIGKILL");
      await killed.exit;
      expect(await findDataProblem(target.collections)).toMatchObject({ event: "data_half_moved" });
    }
    const last = command(dataDir, "--to", to);
    expect(await last.exit).toMatchObject({ code: 0 });

    const output = last.lines.join("\n");
    expect(output).toMatch(/^ +100 [0-9a-f]{16} files$/m);
    // The files that the first two attempts copied are not copied again.
    expect(output).not.toMatch(/^file_bodies: /m);
    expect(output).not.toContain(KEY);
    expect(await target.collections.file_bodies.countDocuments()).toBe(100);
    expect(await findDataProblem(target.collections)).toBeNull();
    const file = join(dataDir, "moved.env");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, "utf8")).toMatch(`MONGODB_URI=${to}\n`);
    expect(await readFile(file, "utf8")).toMatch(`\nSESSION_SECRET=${KEY}\n`);
  });

  it("takes a library back, with the given keys", async () => {
    const source = await connect(givenPlace());
    await fill(source, 20);
    const target = await connect(givenPlace());
    const dataDir = await mkdtemp(join(home, "back-"));

    await move(source, target);
    const missing = storeGivenKeys(dataDir, { SESSION_SECRET: "given to the server before" });

    expect(missing).toEqual(["DATA_KEY", "VAPID_PRIVATE_KEY"]);
    expect(await readFile(join(dataDir, "secrets", "session-secret"), "utf8")).toBe(
      "given to the server before",
    );
    expect(await target.collections.files.countDocuments()).toBe(20);
    await expect(startOrContinueMove(source, target, new Date())).rejects.toThrow("was moved to elsewhere");
    expect(await findDataProblem(source.collections)).toMatchObject({
      event: "data_moved",
      message: expect.stringContaining("moved to elsewhere"),
    });
    await cancelMove(source);
    expect(await findDataProblem(source.collections)).toBeNull();
    await expect(startOrContinueMove(source, target, new Date())).rejects.toThrow("The target is not empty");
  });
});

it("a move refuses another move's target, and the same move continues", async () => {
  const [one, other, target] = [
    await connect(givenPlace()),
    await connect(givenPlace()),
    await connect(givenPlace()),
  ];
  const id = await startOrContinueMove(one, target, new Date());
  await fill(target, 1);

  await expect(startOrContinueMove(other, target, new Date())).rejects.toThrow("The target is not empty");
  expect(await startOrContinueMove(one, target, new Date())).toBe(id);
});
