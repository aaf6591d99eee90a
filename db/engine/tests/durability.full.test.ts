import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, chownSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { MongoClient } from "mongodb";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { present } from "../values/present.ts";
import { needsEngine } from "./server.ts";

needsEngine("it kills the engine and looks into its files");

const ENGINE = resolve("db/engine");
const NOBODY = 65534;
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "codeshelf-durable-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

interface Outcome {
  uri: string | undefined;
  stderr: string;
  code: number | null;
  child: ChildProcess;
}

/** The first of: it is ready, or it has ended. */
function outcomeOf(child: ChildProcess): Promise<Outcome> {
  let stderr = "";
  child.stderr?.on("data", (chunk) => {
    stderr += chunk;
  });
  return new Promise((done) => {
    child.stdout?.on("data", (chunk) =>
      done({ uri: JSON.parse(String(chunk)).uri, stderr, code: null, child }),
    );
    child.on("close", (code) => done({ uri: undefined, stderr, code, child }));
  });
}

/** Drivers take a host for a socket only where it ends in `.sock`. */
function engineArguments(engine = ENGINE, place = "socket"): string[] {
  return [
    join(engine, "main.ts"),
    "--data",
    join(directory, "data"),
    "--socket",
    join(directory, place, "s.sock"),
  ];
}

async function stopped(child: ChildProcess): Promise<void> {
  const closed = new Promise((done) => child.on("close", done));
  child.kill("SIGTERM");
  await closed;
}

describe("a disk that takes no more", () => {
  test("is a clear error, loses nothing that was acknowledged and corrupts nothing", async () => {
    const full = spawn("bash", [
      "-c",
      'ulimit -f 3000; exec "$0" "$@"',
      process.execPath,
      ...engineArguments(),
    ]);
    const { uri, child } = await outcomeOf(full);
    const client = await MongoClient.connect(present(uri));
    const entries = client.db("full").collection<{ _id: number; text: string }>("entries");
    let stored = 0;
    const fill = async (): Promise<never> => {
      for (;;) {
        await entries.insertOne({ _id: stored, text: "x".repeat(50_000) });
        stored++;
      }
    };

    await expect(fill()).rejects.toMatchObject({
      name: "MongoServerError",
      message: expect.stringMatching(/disk|storage/i),
    });

    expect(stored).toBeGreaterThan(5);
    expect(await entries.countDocuments({})).toBe(stored);
    expect(await entries.countDocuments({ _id: { $gte: 0 } })).toBe(stored);
    await client.close();
    await stopped(child);

    const again = await outcomeOf(spawn(process.execPath, engineArguments()));
    const second = await MongoClient.connect(present(again.uri));
    const documents = await second.db("full").collection("entries").find().toArray();
    expect(documents.map(({ _id }) => Number(_id)).sort((a, b) => a - b)).toEqual([...Array(stored).keys()]);
    await second.db("full").collection("entries").insertOne({ text: "room again" });
    await second.close();
    await stopped(again.child);
  }, 60_000);
});

describe("a data directory that cannot be written", () => {
  /** Root may write anywhere: as root the engine is copied to where an unprivileged user reaches it, and run as that. */
  function asUnprivileged(): { node: string; engine: string; uid: number | undefined } {
    if (process.getuid?.() !== 0) return { node: process.execPath, engine: ENGINE, uid: undefined };
    chmodSync(directory, 0o755);
    copyFileSync(process.execPath, join(directory, "node"));
    cpSync(ENGINE, join(directory, "engine"), { recursive: true });
    mkdirSync(join(directory, "unprivileged"));
    chownSync(join(directory, "unprivileged"), NOBODY, NOBODY);
    return { node: join(directory, "node"), engine: join(directory, "engine"), uid: NOBODY };
  }

  test("is said in one line, and what it holds stays", async () => {
    const first = await outcomeOf(spawn(process.execPath, engineArguments()));
    const client = await MongoClient.connect(present(first.uri));
    await client.db("kept").collection("entries").insertOne({ text: "precious" });
    await client.close();
    await stopped(first.child);
    chmodSync(join(directory, "data"), 0o555);
    chmodSync(join(directory, "data", "engine.sqlite"), 0o444);
    const { node, engine, uid } = asUnprivileged();

    const refused = await outcomeOf(spawn(node, engineArguments(engine, "unprivileged"), { uid }));

    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(
      /^The document engine cannot start: .*(read.?only|unable to open|permission)/im,
    );
    expect(refused.stderr.trim().split("\n")).toHaveLength(1);
    chmodSync(join(directory, "data"), 0o700);
    chmodSync(join(directory, "data", "engine.sqlite"), 0o600);
    const again = await outcomeOf(spawn(process.execPath, engineArguments()));
    const second = await MongoClient.connect(present(again.uri));
    expect(await second.db("kept").collection("entries").countDocuments({ text: "precious" })).toBe(1);
    await second.close();
    await stopped(again.child);
  }, 60_000);
});
