import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { MongoClient } from "mongodb";
import { describe, expect, it, onTestFinished } from "vitest";
import { type EngineOptions, findRunningEngine, startEngine } from "#db/local/engine.ts";
import { findSocketPlace } from "#db/local/engine-socket.ts";
import { required } from "#domain/required.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { needsEngine } from "#tests/support/databases/server-needs.ts";
import { ended, readIdentity, run } from "#tests/support/programs/running.ts";
import { temporaryDirectory } from "#tests/support/test-runs/temporary-directory.ts";

needsEngine("it starts, stops and kills the engine");

async function startedIn(directory: string, options: Partial<EngineOptions> = {}) {
  const engine = await startEngine({ directory, log: () => {}, sync: "normal", ...options });
  onTestFinished(() => engine.stop());
  return engine;
}

async function withShelf<T>(uri: string, use: (client: MongoClient) => Promise<T>): Promise<T> {
  const client = await MongoClient.connect(uri, { serverSelectionTimeoutMS: 5_000 });
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

const put = (uri: string, answer: number) =>
  withShelf(uri, (client) => client.db("shelf").collection("kept").insertOne({ answer }));
const read = (uri: string) =>
  withShelf(uri, (client) =>
    client
      .db("shelf")
      .collection("kept")
      .findOne({}, { projection: { _id: 0 } }),
  );

const readSocketPath = (uri: string) =>
  decodeURIComponent(required(required(/^mongodb:\/\/([^/]+)/.exec(uri))[1]));

describe("the engine as a process", () => {
  it("answers on a socket that only its owner reaches, and keeps documents between starts", async () => {
    const directory = join(await temporaryDirectory("engine"), "with a space", "engine");
    const first = await startedIn(directory);
    await put(first.uri, 42);
    expect(statSync(dirname(readSocketPath(first.uri))).mode & 0o777).toBe(0o700);
    await first.stop();
    expect(await first.exited).toEqual({ code: 0, signal: null });

    const second = await startedIn(directory);

    expect(second.uri).toBe(first.uri);
    expect(await read(second.uri)).toEqual({ answer: 42 });
  });

  it("puts its socket elsewhere if the path is too long, and removes it at the end", async () => {
    const directory = join(await temporaryDirectory("engine"), "x".repeat(100), "engine");

    const engine = await startedIn(directory);

    const socket = readSocketPath(engine.uri);
    expect(Buffer.byteLength(socket)).toBeLessThanOrEqual(107);
    expect(statSync(dirname(socket)).mode & 0o777).toBe(0o700);
    await put(engine.uri, 42);
    await engine.stop();
    expect(existsSync(dirname(socket))).toBe(false);
  });

  it("answers on 127.0.0.1 with a password if asked to, at the same address after a kill", async () => {
    const directory = join(await temporaryDirectory("engine"), "engine");
    const first = await startedIn(directory, { tcp: true });
    expect(first.uri).toMatch(/^mongodb:\/\/\w+:\w+@127\.0\.0\.1:\d+/);
    await put(first.uri, 42);
    const stranger = first.uri.replace(/\/\/\w+:\w+@/, "//");
    await expect(read(stranger)).rejects.toThrow();
    process.kill(first.pid, "SIGKILL");
    await first.exited;

    const second = await startedIn(directory, { tcp: true });

    expect(second.uri).toBe(first.uri);
    expect(await read(second.uri)).toEqual({ answer: 42 });
  });

  it("ends with a killed launcher, and the next start waits for its end", async () => {
    const directory = join(await temporaryDirectory("engine"), "engine");
    const engineModule = pathToFileURL(join(PROJECT_ROOT, "db/local/engine.ts")).href;
    const script = `
      import { startEngine } from ${JSON.stringify(engineModule)};
      const engine = await startEngine({ directory: process.argv[1], log: () => {} });
      console.log("started", engine.pid);
      setInterval(() => {}, 1e9);`;
    const launcher = run(process.execPath, ["--input-type=module-typescript", "-e", script, directory], {
      cwd: PROJECT_ROOT,
    });
    const [, pid] = await launcher.line(/^started (\d+)$/);
    const forsaken = readIdentity(Number(pid));
    expect((await findRunningEngine(directory))?.pid).toBe(forsaken.pid);
    launcher.child.kill("SIGKILL");

    const next = await startedIn(directory);

    expect(next.pid).not.toBe(forsaken.pid);
    await ended(forsaken);
    await put(next.uri, 42);
  });

  it("can be found by others while it runs, and not afterwards", async () => {
    const directory = join(await temporaryDirectory("engine"), "engine");
    expect(await findRunningEngine(directory)).toBeNull();
    const engine = await startedIn(directory);

    expect(await findRunningEngine(directory)).toMatchObject({ pid: engine.pid, uri: engine.uri });
    expect(statSync(join(directory, "running.json")).mode & 0o777).toBe(0o600);

    await engine.stop();
    expect(await findRunningEngine(directory)).toBeNull();
  });

  it("says why it cannot start", async () => {
    const directory = join(await temporaryDirectory("engine"), "engine");
    mkdirSync(directory);
    const program = join(directory, "broken.mjs");
    writeFileSync(program, 'console.error("the disk is full"); process.exit(1);');

    const start = startEngine({ directory, log: () => {}, program });

    await expect(start).rejects.toThrow(/did not start in .*ended with code 1\nthe disk is full/s);
  });
});

it("the engine's socket has no path if no directory can hold one", async () => {
  const tooLong = join(await temporaryDirectory("engine"), "x".repeat(100));
  mkdirSync(tooLong);

  expect(await findSocketPlace(tooLong, [tooLong, join(tooLong, "missing")])).toBeNull();
});
