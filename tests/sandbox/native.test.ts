import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, closeSync, existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { required } from "#domain/required.ts";
import { isRoot } from "#platform/processes/accounts.ts";
import { closeInheritedDescriptors } from "#platform/processes/inherited-descriptors.ts";
import { compileProbe, ensureBubblewrap } from "#tests/support/programs/isolation-tools.ts";
import { type IsolationMethod, sendFilter } from "#worker/isolation/methods.ts";
import { FILTER_FD, findLayers, listProgramMethods, toProgramConfinement } from "#worker/sandbox/layers.ts";
import { NO_ENVIRONMENT } from "#worker/sandbox/program.ts";
import { DOORS, SEEN_OPEN, SEEN_OPEN_BY_ROOT } from "./doors.ts";

/** A program that escaped from V8: native code in the place of the interpreter's process, started in each way that works here. */
closeInheritedDescriptors();
ensureBubblewrap();
const probe = compileProbe(join(import.meta.dirname, "doors.c"));
const methods = listProgramMethods().filter(({ layers }) => layers.includes("files"));
const directory = mkdtempSync(join(tmpdir(), "codeshelf-doors-"));
const secret = join(directory, "secret");
const engine = createServer();
const postgres = createServer();
let another: ChildProcess;

const listening = (server: Server, ...where: [string] | [number, string]) =>
  new Promise<void>((resolve) => void (server.listen as (...words: unknown[]) => Server)(...where, resolve));

beforeAll(async () => {
  // Readable by everyone: permissions are not what keeps native code out.
  chmodSync(directory, 0o777);
  writeFileSync(secret, "secret", { mode: 0o644 });
  await listening(engine, join(directory, "engine.sock"));
  chmodSync(join(directory, "engine.sock"), 0o777);
  await listening(postgres, 0, "127.0.0.1");
  another = spawn("sleep", ["600"], { stdio: "ignore" });
});

afterAll(() => {
  another.kill("SIGKILL");
  engine.close();
  postgres.close();
  rmSync(directory, { recursive: true, force: true });
});

async function tryDoors(method: IsolationMethod | null): Promise<Map<string, string>> {
  const { port } = postgres.address() as { port: number };
  const confinement = toProgramConfinement((await findLayers()).nextAccount?.() ?? null);
  const seeing = { ...confinement, readOnly: [...confinement.readOnly, required(probe)] };
  const words = [secret, join(directory, "engine.sock"), String(port), String(another.pid), directory];
  const [command = "", ...rest] = [...(method?.words(seeing) ?? []), required(probe), ...words];
  const handed = openSync(secret, "r");
  const filter = method?.filter ?? null;
  const child = spawn(command, rest, {
    env: NO_ENVIRONMENT,
    cwd: "/",
    detached: true,
    stdio: ["ignore", "pipe", "ignore", "pipe", handed, handed, ...(filter ? ["pipe" as const] : [])],
  });
  closeSync(handed);
  sendFilter(child, FILTER_FD, filter);
  const [said] = await Promise.all([text(child.stdout as Readable), once(child, "close")]);
  return new Map(said.split("\n").map((line) => line.split(" ") as [string, string]));
}

describe.runIf(probe)("native code in a program's place", { timeout: 60_000 }, () => {
  it("finds the doors open without any layer", async () => {
    const tried = await tryDoors(null);
    const open = [...tried].filter(([, how]) => how === "open").map(([name]) => name);
    expect(open).toEqual(expect.arrayContaining([...SEEN_OPEN, ...(isRoot() ? SEEN_OPEN_BY_ROOT : [])]));
    expect(DOORS.map(({ name }) => name).sort()).toEqual([...tried.keys()].filter(Boolean).sort());
  });

  it.each(methods)("finds every door closed that $name closes", async (method) => {
    const tried = await tryDoors(method);
    expect(tried.size, "it did not start at all").toBeGreaterThan(DOORS.length);
    const closed = DOORS.filter(({ closedBy }) => closedBy.some((layer) => method.layers.includes(layer)));
    const wrong = closed.filter(({ name, told }) => !told.test(tried.get(name) ?? "not tried"));
    expect(wrong.map(({ name }) => `${name} ${tried.get(name)}`)).toEqual([]);
    if (method.filter) expect(closed).toHaveLength(DOORS.length);
    expect(existsSync(secret)).toBe(true);
  });
});
