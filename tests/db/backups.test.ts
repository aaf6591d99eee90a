import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BSON, type Document, MongoClient, MongoServerError } from "mongodb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toBackupError } from "#db/backups/backup-error.ts";
import { createBackup } from "#db/backups/create-backup.ts";
import { startEngine } from "#db/local/engine.ts";
import { restoreData } from "#db/local/restore-data.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { needsEngine } from "#tests/support/databases/server-needs.ts";
import { run } from "#tests/support/programs/running.ts";

needsEngine("copies the file of the engine");

const home = await mkdtemp(join(tmpdir(), "codeshelf-backup-"));
const dataDirectory = join(home, "data");
const archive = (name: string) => join(home, `${name}.tar.zst`);
let engine: Awaited<ReturnType<typeof startEngine>>;
let client: MongoClient;

const command = (program: string, args: string[], directory: string) =>
  run(process.execPath, [join(PROJECT_ROOT, "db/local", program), ...args], {
    env: { PATH: process.env.PATH, DATA_DIR: directory },
  });

/** All documents of a stopped data directory, byte by byte. */
async function readAll(directory: string): Promise<Map<string, string>> {
  const restored = await startEngine({ directory: join(directory, "engine"), log: () => {}, sync: "normal" });
  const reader = await MongoClient.connect(restored.uri);
  try {
    const documents = new Map<string, string>();
    for (const { name } of await reader.db("codeshelf").listCollections({}, { nameOnly: true }).toArray())
      for (const document of await reader.db("codeshelf").collection(name).find({}).toArray())
        documents.set(`${name}/${document._id}`, Buffer.from(BSON.serialize(document)).toString("base64"));
    return documents;
  } finally {
    await reader.close();
    await restored.stop();
  }
}

const listUnfinished = async () =>
  (await readdir(home)).filter((name) => name.endsWith(".unfinished-backup"));

const toBytes = (document: Document) => Buffer.from(BSON.serialize(document)).toString("base64");

/** Writes a text and then its record, as saving does, until it is stopped; records what was acknowledged. */
function startWriter() {
  const acknowledged = new Map<string, string>();
  let next = 0;
  let stopped = false;
  const write = async () => {
    while (!stopped) {
      const _id = `w${next++}`;
      for (const name of ["file_bodies", "files"]) {
        const document = { _id, body: `${name} ${_id} ${"x".repeat((next * 37) % 3_000)}` };
        await client.db("codeshelf").collection<{ _id: string }>(name).insertOne(document);
        acknowledged.set(`${name}/${_id}`, toBytes(document));
      }
    }
  };
  const writing = Promise.all([write(), write()]);
  return {
    acknowledged,
    stop: async () => {
      stopped = true;
      await writing;
    },
  };
}

beforeAll(async () => {
  engine = await startEngine({ directory: join(dataDirectory, "engine"), log: () => {}, sync: "normal" });
  client = await MongoClient.connect(engine.uri);
  await mkdir(join(dataDirectory, "secrets"), { mode: 0o700 });
  await writeFile(join(dataDirectory, "secrets", "data-key"), "a key that is kept");
  const documents = Array.from({ length: 2_000 }, (_, i) => ({
    _id: `f${i}`,
    body: `text ${i} `.repeat(200),
  }));
  await client.db("codeshelf").collection<{ _id: string; body: string }>("file_bodies").insertMany(documents);
});

afterAll(async () => {
  await client.close();
  await engine.stop();
  await rm(home, { recursive: true, force: true });
});

describe("a backup while people save", () => {
  it("is restored document by document as it was at one moment, with everything acknowledged before it", async () => {
    const writer = startWriter();
    await expect.poll(() => writer.acknowledged.size).toBeGreaterThan(20);
    const before = new Map(writer.acknowledged);
    await createBackup({ uri: engine.uri, dataDirectory, file: archive("whole"), now: new Date() }).finally(
      writer.stop,
    );
    expect(writer.acknowledged.size).toBeGreaterThan(before.size);

    const directory = join(home, "restored");
    const restoring = command("restore.ts", [archive("whole")], directory);
    expect(await restoring.exit).toMatchObject({ code: 0 });
    expect(restoring.lines.join("\n")).toMatch(/\d+ file_bodies\n.*documents of .* are in/s);

    const stored = await readAll(directory);
    for (const [key, bytes] of before) expect(stored.get(key)).toBe(bytes);
    const ofWriter = [...stored].filter(([key]) => key.includes("/w"));
    for (const [key, bytes] of ofWriter) expect(writer.acknowledged.get(key)).toBe(bytes);
    // A file's text is written first: a consistent copy has no record without its text.
    const records = ofWriter.filter(([key]) => key.startsWith("files/")).map(([key]) => key.slice(6));
    for (const id of records) expect(stored.has(`file_bodies/${id}`)).toBe(true);
    expect([...stored.keys()].filter((key) => key.startsWith("file_bodies/f"))).toHaveLength(2_000);
    expect(await readFile(join(directory, "secrets", "data-key"), "utf8")).toBe("a key that is kept");
  });

  it("leaves no half file under its name when it is killed, and the next one clears up", async () => {
    const killed = command("backup.ts", [archive("killed")], dataDirectory);
    const isUnderWay = async () => (await listUnfinished()).length > 0;
    await Promise.race([expect.poll(isUnderWay, { interval: 1, timeout: 20_000 }).toBe(true), killed.exit]);
    killed.child.kill("SIGKILL");
    expect(await killed.exit).toMatchObject({ signal: "SIGKILL" });
    expect(existsSync(archive("killed"))).toBe(false);
    expect(await listUnfinished()).toHaveLength(1);

    await createBackup({ uri: engine.uri, dataDirectory, file: archive("next"), now: new Date() });

    expect(await listUnfinished()).toEqual([]);
    expect(existsSync(join(dataDirectory, "engine", "snapshot.sqlite"))).toBe(false);
  });
});

it("a full disk is reported in one clear sentence, whether the engine or the archive meets it", async () => {
  const fault = await writeFile("/dev/full", "x").catch((error) => error);
  expect(fault).toMatchObject({ code: "ENOSPC" });
  for (const error of [fault, new MongoServerError({ code: 14031, message: "The disk is full" })])
    expect(toBackupError(error, "/mnt/b.tar.zst")).toMatchObject({
      message: expect.stringMatching(/^The disk is full: no backup was written to \/mnt\/b.tar.zst\./),
    });
});

describe("a restore", () => {
  let complete: Buffer;
  beforeAll(async () => {
    await createBackup({ uri: engine.uri, dataDirectory, file: archive("plain"), now: new Date() });
    complete = await readFile(archive("plain"));
  });

  it.each([
    ["damaged in the middle", (bytes: Buffer) => bytes.fill(7, bytes.length >> 1, (bytes.length >> 1) + 64)],
    ["cut off", (bytes: Buffer) => bytes.subarray(0, bytes.length - 40)],
    ["something else", () => Buffer.from("no backup at all")],
  ])("refuses a file that is %s and touches nothing", async (name, damage) => {
    await writeFile(archive(name), damage(Buffer.from(complete)));
    const directory = join(home, `untouched-${name}`);

    await expect(restoreData(archive(name), directory)).rejects.toThrow("damaged");

    expect(existsSync(directory)).toBe(false);
  });

  it("refuses a directory that has documents, and data of a newer release", async () => {
    const used = join(home, "used");
    await mkdir(join(used, "secrets"), { recursive: true });
    await writeFile(join(used, "secrets", "data-key"), "another");
    await expect(restoreData(archive("plain"), used)).rejects.toThrow("restore into an empty DATA_DIR");
    expect(await readFile(join(used, "secrets", "data-key"), "utf8")).toBe("another");

    const installation = client.db("codeshelf").collection<{ _id: string; version: number }>("installation");
    await installation.insertOne({ _id: "data", version: 999 });
    await createBackup({ uri: engine.uri, dataDirectory, file: archive("newer"), now: new Date() });
    await installation.deleteMany({});
    const directory = join(home, "newer");
    await expect(restoreData(archive("newer"), directory)).rejects.toThrow("newer release");
    expect(existsSync(directory)).toBe(false);
  });
});
