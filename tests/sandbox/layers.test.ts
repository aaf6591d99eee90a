import { spawn } from "node:child_process";
import { existsSync, readFileSync, readlinkSync } from "node:fs";
import { createServer } from "node:net";
import { constants, getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { required } from "#domain/required.ts";
import { generateToken } from "#platform/ids.ts";
import { openTestSandbox } from "#tests/support/workers/sandbox.ts";
import { sendFilter } from "#worker/isolation/methods.ts";
import { FILTER_FD, findLayers, toProgramConfinement } from "#worker/sandbox/layers.ts";
import { CHILD, childCommand, NO_ENVIRONMENT } from "#worker/sandbox/program.ts";

/** The layers that hold a waiting child, as the kernel reports them, without those that this machine lacks. */
const layers = await findLayers();
const isThere = (name: (typeof layers.missing)[number]) => !layers.missing.includes(name);
const sandbox = openTestSandbox(1);
const kernel = { status: "", limits: "", environ: "", network: "", session: "", priority: 0 };
const { PRIORITY_LOW } = constants.priority;
const SESSIONS = existsSync("/proc/self/autogroup");

beforeAll(async () => {
  const child = await sandbox.take();
  const tells = (name: string) => readFileSync(`/proc/${child.programPid}/${name}`, "utf8");
  for (const name of ["status", "limits", "environ"] as const) kernel[name] = tells(name);
  kernel.priority = getPriority(child.programPid);
  if (SESSIONS) kernel.session = tells("autogroup");
  kernel.network = readlinkSync(`/proc/${child.programPid}/ns/net`);
  child.kill();
  await child.gone;
}, 120_000);

const field = (name: string) =>
  required(new RegExp(`^${name}:[ \\t]*(.*)$`, "m").exec(kernel.status)?.[1]).split(/\s+/);
const limit = (name: string) =>
  new RegExp(`^Max ${name}\\s+(\\S+)\\s+(\\S+)`, "m").exec(kernel.limits)?.slice(1);

describe("a process that waits for a program", () => {
  it.runIf(layers.nextAccount)("is a user that nobody else is, for good: all its ids and its groups", () => {
    const uids = required(field("Uid"));
    const [uid] = uids;
    expect(Number(uid)).toBeGreaterThanOrEqual(60_600);
    expect(
      readFileSync("/etc/passwd", "utf8")
        .split("\n")
        .map((line) => line.split(":")[2]),
    ).not.toContain(uid);
    expect(uids).toEqual(Array(4).fill(uid));
    expect(field("Gid")).toEqual(Array(4).fill(uid));
    expect(field("Groups")?.filter(Boolean)).toEqual([]);
  });

  it.runIf(isThere("privileges"))("has no capability and gets none", () => {
    for (const set of ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"])
      expect([set, field(set)]).toEqual([set, ["0".repeat(16)]]);
    expect(field("NoNewPrivs")).toEqual(["1"]);
  });

  it.runIf(isThere("syscalls"))("has a filter of system calls", () => {
    expect(field("Seccomp")).toEqual(["2"]);
  });

  it.runIf(isThere("processes"))("has numbers of its own for processes", () => {
    expect(field("NSpid")).toHaveLength(2);
  });

  it("has an empty environment", () => {
    expect(process.env.PATH).toBeTruthy();
    expect(kernel.environ.replaceAll("\0", "")).not.toMatch(/PATH|SECRET|DATABASE|MONGODB|TOKEN/);
  });

  it("has a lower priority than the process that started it", () => {
    expect(kernel.priority).toBe(Math.min(PRIORITY_LOW, getPriority() + 10));
  });

  // Without root this may be refused when a process starts; the worker tries again when a program starts.
  it.runIf(SESSIONS && layers.nextAccount)(
    "gives way with its whole session, as far as this machine groups by sessions",
    () => {
      expect(kernel.session.trim()).toMatch(/^$|nice 10$/);
    },
  );

  it.runIf(isThere("network"))("is in a network of its own", () => {
    expect(kernel.network).toMatch(/^net:\[\d+\]$/);
    expect(kernel.network).not.toBe(readlinkSync("/proc/self/ns/net"));
  });

  it.runIf(isThere("limits"))("cannot raise any limit it was given", () => {
    const codeRangeKib = (process.arch === "x64" ? 512 : 128) * 1024;
    const limits = {
      "file size": "0",
      "core file size": "0",
      "open files": "64",
      ...(isThere("privileges") && { processes: "32", "locked memory": "0" }),
      "stack size": String(32_768 * 1024),
      "data size": String((1_100_000 + 3 * codeRangeKib) * 1024),
    };
    for (const [name, value] of Object.entries(limits))
      expect([name, limit(name)]).toEqual([name, [value, value]]);
  });
});

it("JavaScript that escaped into such a process may only read its own files: it cannot write, start a process or connect", async () => {
  const server = createServer();
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const writable = join(tmpdir(), `codeshelf-${generateToken(6)}`);
  const probe = join(import.meta.dirname, "inside.mjs");
  const account = layers.nextAccount?.() ?? null;
  const confinement = toProgramConfinement(account);
  const seeing = { ...confinement, readOnly: [...confinement.readOnly, probe] };
  const [command, words] = childCommand(layers.method.words(seeing), { make: null, account: null });
  const flags = words.slice(0, words.lastIndexOf(CHILD));

  const child = spawn(
    command,
    [...flags, `--allow-fs-read=${probe}`, probe, JSON.stringify({ port, writable })],
    {
      env: NO_ENVIRONMENT,
      cwd: "/",
      stdio: ["ignore", "pipe", "ignore", "ignore", "ignore", "ignore", "pipe"],
    },
  );
  sendFilter(child, FILTER_FD, layers.method.filter);
  const stdout = await text(child.stdout as Readable);

  const { connected, ...tried } = JSON.parse(stdout);
  expect(tried).toEqual({
    read: "ERR_ACCESS_DENIED",
    environ: "ERR_ACCESS_DENIED",
    write: "ERR_ACCESS_DENIED",
    spawn: "ERR_ACCESS_DENIED",
    worker: "ERR_ACCESS_DENIED",
    environment: expect.not.arrayContaining(["PATH"]),
    cwd: "/",
  });
  expect(existsSync(writable)).toBe(false);
  if (isThere("network")) expect(connected).toMatch(/^E(NETUNREACH|CONNREFUSED|ADDRNOTAVAIL|PERM)$/);
}, 60_000);
