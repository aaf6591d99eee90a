/** A move as an administrator makes it: the command beside a product in use, then the product on the new databases, and back. */
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { MongoClient } from "mongodb";
import { afterAll, expect, it, onTestFinished, vi } from "vitest";
import { toSafeAddress } from "#db/core/driver/connection-problems.ts";
import type { Environment } from "#db/local/processes/server-process.ts";
import { required } from "#domain/required.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { type Caller, createCaller, signIn } from "#tests/crash/caller.ts";
import { givenMongoDB, newDatabaseName, toDatabaseAddress } from "#tests/support/databases/given-mongodb.ts";
import { createTestPostgres } from "#tests/support/databases/postgres.ts";
import { type Running, run } from "#tests/support/programs/running.ts";
import { openPushService, type PushService } from "#tests/support/reminders/push-service.ts";
import { temporaryDirectory } from "#tests/support/test-runs/temporary-directory.ts";

const PATH = process.env.PATH;
/** Runs no programs: preparing for them takes the longest part of a start. */
const PLAIN = { PUSH_ALLOW_LOOPBACK: "1", CODE_EXECUTION_ENABLED: "0" };
const inRoot = (program: string) => join(PROJECT_ROOT, program);
const closing: (() => Promise<unknown>)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));

const start = (program: string, env: Environment, ...nodeOptions: string[]) =>
  run(process.execPath, [...nodeOptions, inRoot(program)], { cwd: PROJECT_ROOT, env: { PATH, ...env } });

const move = (env: Environment, ...words: string[]) =>
  run("npm", ["run", "--silent", "move", "--", ...words], { cwd: PROJECT_ROOT, env: { ...env, PATH } });

async function end(...processes: Running[]): Promise<void> {
  for (const { child } of processes) child.kill("SIGINT");
  for (const { exit, lines } of processes)
    expect(await exit, lines.slice(-20).join("\n")).toMatchObject({ code: 0 });
}

/** The addresses of empty databases on a server other than the product's embedded one. */
async function givenElsewhere(home: string): Promise<() => string> {
  if (givenMongoDB) return () => toDatabaseAddress(required(givenMongoDB), newDatabaseName("moved"));
  const server = start("db/local/mongo.ts", { DATA_DIR: join(home, "elsewhere") });
  const [, uri] = await server.line(/^Look inside with: mongosh '(.*)'$/);
  return () => toDatabaseAddress(required(uri), newDatabaseName("moved"));
}

/** Starts the product on its embedded database, as `npm start` does. */
async function startEmbedded(dataDir: string) {
  const env = { DATA_DIR: dataDir, PORT: "0", DATABASE_URL: await createTestPostgres(), ...PLAIN };
  const launcher = start("db/local/launch.ts", env);
  const [, url] = await launcher.line(/Codeshelf is ready: (\S+)/);
  await launcher.line(/^✓ worker started/);
  return { launcher, url: required(url) };
}

/** Starts the processes of a production server with the variables that the move has written. */
async function startMoved(file: string, dataDir: string) {
  const variables = {
    NODE_ENV: "production",
    MESSENGER_BOT_TOKEN: `777777777:${"a".repeat(35)}`,
    MESSENGER_BOT_NAME: "shelf_bot",
    DATA_DIR: dataDir,
    HOST: "127.0.0.1",
    PORT: "0",
    ...PLAIN,
  };
  const begin = (program: string) => start(program, variables, `--env-file=${file}`);
  const release = begin("db/release.ts");
  expect(await release.exit, release.lines.join("\n")).toMatchObject({ code: 0 });
  const [web, worker] = [begin("app/server.ts"), begin("worker/index.ts")];
  const [, url] = await web.line(/"event":"ready".*"url":"([^"]+)"/);
  await worker.line(/internal_worker_started/);
  return { web, worker, url: required(url) };
}

type Kept = { cookie: string; token: string; sharePath: string; push: PushService };

async function givenKept(caller: Caller): Promise<Kept> {
  const saved = required(await caller.call("PUT", "/api/files/before.py", "before = 1\n"));
  expect(saved.status).toBe(201);
  const shared = required(await caller.call("POST", `/api/share/${saved.body.file_id}`, {}));
  const { vapidPublicKey } = required(await caller.call("GET", "/api/push/public-key")).body;
  const push = await openPushService(String(vapidPublicKey));
  closing.push(() => push.close());
  const { subscription } = push.browser("phone");
  expect(await caller.call("POST", "/api/push/subscribe", subscription)).toMatchObject({ status: 201 });
  const form = new URLSearchParams({ intent: "create", name: "mine", scope: "write", lifetime: "90" });
  const headers = { Cookie: caller.cookie, Accept: "text/html", "Sec-Fetch-Site": "same-origin" };
  const page = await fetch(`${caller.url}/settings/tokens`, { method: "POST", body: form, headers });
  const [token] = required(/cs_[\w-]{43}/.exec(await page.text()));
  return { cookie: caller.cookie, token, sharePath: new URL(String(shared.body.url)).pathname, push };
}

async function expectKept(url: string, { cookie, token, sharePath, push }: Kept): Promise<void> {
  const caller = createCaller(url, cookie);
  expect(await caller.call("GET", "/api/me")).toMatchObject({ body: { authenticated: true } });
  const file = await fetch(`${url}/api/files/before.py`, { headers: { Authorization: `Bearer ${token}` } });
  expect([file.status, await file.text()]).toEqual([200, "before = 1\n"]);
  const shared = await fetch(url + sharePath, { headers: { Accept: "text/html" } });
  expect([shared.status, await shared.text()]).toEqual([200, expect.stringContaining("before.py")]);
  const before = push.received.length;
  expect(await caller.call("POST", "/api/push/test", { via: "worker" })).toMatchObject({
    body: { ok: true, sent: 1, errors: [] },
  });
  expect(push.received.length).toBe(before + 1);
}

const save = async (caller: Caller, name: string) =>
  await caller.call("PUT", `/api/files/${name}`, `${name}\n`);

it("sessions, tokens, links, devices and files continue on the new databases, and back on the old ones", {
  timeout: 600_000,
}, async () => {
  const home = await temporaryDirectory("moved");
  const newAddress = await givenElsewhere(home);
  const dataDir = join(home, "data");
  const here = await startEmbedded(dataDir);
  const signInPath = `/login?code=${await readFile(join(dataDir, "secrets", "sign-in-code"), "utf8")}`;
  const caller = await signIn({ url: here.url, signInPath });
  const belongings = await givenKept(caller);
  await expectKept(here.url, belongings);
  const embedded = { DATA_DIR: dataDir };

  // A database in use is left alone.
  const used = newAddress();
  const client = await MongoClient.connect(used);
  onTestFinished(() => client.close());
  await client.db().collection("files").insertOne({ file_name: "theirs" });
  const refused = move(embedded, "--to", used);
  expect(await refused.exit).toMatchObject({ code: 1 });
  expect(refused.lines).toContain(
    "The target is not empty: its collection files has documents. Move into an empty database.",
  );

  // If a move is cancelled while writes are paused, people can save again at once.
  const to = newAddress();
  const cancelled = move(embedded, "--to", to);
  await cancelled.line(/^Writing is paused/);
  await vi.waitFor(
    async () => expect(await save(caller, "paused.py")).toMatchObject({ status: 503 }),
    60_000,
  );
  expect(await caller.call("GET", "/api/files")).toMatchObject({ status: 200 });
  const cancel = move(embedded, "--cancel");
  expect(await cancel.exit).toMatchObject({ code: 0 });
  expect(cancel.lines.at(-1)).toBe("Writing goes on here.");
  expect(await cancelled.exit).toMatchObject({ code: 1 });
  expect(cancelled.lines).toContain("Stopped. The old place stays in use. Run it again, and it goes on.");
  await vi.waitFor(async () => expect(await save(caller, "again.py")).toMatchObject({ status: 201 }), 60_000);

  // The earlier copies are still there, and the same move completes.
  const queue = await createTestPostgres();
  const last = move(embedded, "--to", to, "--queue", queue);
  expect(await last.exit, last.lines.join("\n")).toMatchObject({ code: 0 });
  expect(await save(caller, "late.py")).toMatchObject({ status: 503 });
  const moved = `This library was moved to ${toSafeAddress(to)}: start it there. \`npm run move -- --cancel\` makes this the one that is used again.`;
  await vi.waitFor(async () => {
    const ready = required(await caller.call("GET", "/readyz"));
    expect(ready).toMatchObject({ status: 503, body: { checks: { mongodb: "moved" }, warnings: [moved] } });
  }, 60_000);
  await end(here.launcher);
  const stale = start("db/local/launch.ts", { ...embedded, PORT: "0", DATABASE_URL: queue });
  expect(await stale.exit).toMatchObject({ code: 1 });
  expect(stale.lines).toContain(moved);

  const file = join(dataDir, "moved.env");
  const there = await startMoved(file, join(home, "scratch"));
  await expectKept(there.url, belongings);
  expect(await save(createCaller(there.url, belongings.cookie), "there.py")).toMatchObject({ status: 201 });

  const back = join(home, "back");
  await mkdir(back);
  const variables = parseEnv(await readFile(file, "utf8"));
  const returned = move({ ...variables, DATA_DIR: back }, "--from", to);
  expect(await returned.exit, returned.lines.join("\n")).toMatchObject({ code: 0 });
  expect(await save(createCaller(there.url, belongings.cookie), "late.py")).toMatchObject({ status: 503 });
  await end(there.web, there.worker);
  const again = await startEmbedded(back);
  await expectKept(again.url, belongings);
  for (const [name, status] of [
    ["again.py", 200],
    ["there.py", 200],
    ["late.py", 404],
  ] as const)
    expect(
      (await fetch(`${again.url}/api/files/${name}`, { headers: { Cookie: belongings.cookie } })).status,
    ).toBe(status);
  await end(again.launcher);
});
