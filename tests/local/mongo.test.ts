import { join } from "node:path";
import { MongoClient } from "mongodb";
import { expect, it, onTestFinished } from "vitest";
import { lockDataDirectory } from "#db/local/data-directory.ts";
import { startEngine } from "#db/local/engine.ts";
import { freePort } from "#db/local/processes/free-port.ts";
import { required } from "#domain/required.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { needsEngine } from "#tests/support/databases/server-needs.ts";
import { run } from "#tests/support/programs/running.ts";
import { temporaryDirectory } from "#tests/support/test-runs/temporary-directory.ts";

needsEngine("it starts the engine of a data directory");

function runMongo(dataDirectory: string, ...words: string[]) {
  return run(process.execPath, [join(PROJECT_ROOT, "db/local/mongo.ts"), ...words], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDirectory },
  });
}

it("starts an engine, prints where it answers and how to look inside, and keeps it until Ctrl-C", async () => {
  const subject = runMongo(join(await temporaryDirectory("mongo"), "data"));
  const [, uri] = await subject.line(/^Look inside with: mongosh '(.*)'$/);

  const client = await MongoClient.connect(required(uri));
  expect(await client.db("shelf").command({ ping: 1 })).toMatchObject({ ok: 1 });
  await client.close();
  subject.child.kill("SIGINT");

  expect(await subject.exit).toEqual({ code: 0, signal: null });
  expect(subject.lines[0]).toBe(uri);
});

it("prints the address of a running engine, and leaves it running", async () => {
  const dataDirectory = join(await temporaryDirectory("mongo"), "data");
  const lock = lockDataDirectory(dataDirectory);
  const engine = await startEngine({
    directory: join(dataDirectory, "engine"),
    log: () => {},
    sync: "normal",
  });
  onTestFinished(() => engine.stop().finally(() => lock.release()));

  const subject = runMongo(dataDirectory);

  expect(await subject.exit).toEqual({ code: 0, signal: null });
  expect(subject.lines).toEqual([engine.uri, `Look inside with: mongosh '${engine.uri}'`]);
  const client = await MongoClient.connect(engine.uri);
  expect(await client.db("shelf").command({ ping: 1 })).toMatchObject({ ok: 1 });
  await client.close();

  // The same engine answers over TCP, but only with its password.
  const port = await freePort(0);
  const overTcp = runMongo(dataDirectory, "--port", String(port));
  expect(await overTcp.exit).toEqual({ code: 0, signal: null });
  const [uri = ""] = overTcp.lines;
  expect(uri).toMatch(new RegExp(`^mongodb://codeshelf:\\w{48}@127\\.0\\.0\\.1:${port}/`));
  const remote = await MongoClient.connect(uri);
  await remote.db("shelf").collection("things").insertOne({ name: "remote" });
  await remote.close();
  const stranger = await MongoClient.connect(
    uri.replace(/codeshelf:\w+@/, "").replace("authSource=admin&", ""),
  );
  await expect(stranger.db("shelf").collection("things").findOne()).rejects.toThrow(
    /requires authentication/,
  );
  await stranger.close();
  const again = runMongo(dataDirectory, "--tcp");
  await again.exit;
  expect(again.lines[0]).toBe(uri);
});

it("names the user of the data directory if that one has no engine", async () => {
  const dataDirectory = join(await temporaryDirectory("mongo"), "data");
  const lock = lockDataDirectory(dataDirectory);
  onTestFinished(() => lock.release());

  const subject = runMongo(dataDirectory);

  expect(await subject.exit).toEqual({ code: 1, signal: null });
  expect(subject.lines[0]).toBe(`${dataDirectory} is already in use by process ${process.pid}.`);
});
