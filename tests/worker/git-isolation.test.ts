import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { itemAt, required } from "#domain/required.ts";
import { silentLog } from "#platform/log.ts";
import { GIT_ACCOUNT, isRoot } from "#platform/processes/accounts.ts";
import { ensureBubblewrap } from "#tests/support/programs/isolation-tools.ts";
import { temporaryDirectory } from "#tests/support/test-runs/temporary-directory.ts";
import { drawCases } from "#tests/support/test-runs/tier.ts";
import { listMethods } from "#worker/isolation/methods.ts";
import { runGit } from "#worker/mirror/git.ts";
import { findGitIsolation, prepareMirrorDirectory } from "#worker/mirror/git-isolation.ts";

/** A git that its input has taken over: it reports what it can reach. */
ensureBubblewrap();
const { PATH } = process.env;
const methods = listMethods("git");

async function takenOver(index: number | null, network: boolean): Promise<Record<string, string>> {
  const data = await temporaryDirectory("data");
  const [bin, mirror, other] = [join(data, "bin"), join(data, "mirror.git"), join(data, "other.git")];
  for (const path of [bin, other]) mkdirSync(path);
  chmodSync(data, 0o777);
  writeFileSync(join(data, "secret"), "secret", { mode: 0o644 });
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  const tries = {
    secret: `cat ${data}/secret`,
    other: `ls ${other}`,
    write: `touch ${data}/written`,
    temporary: `touch ${tmpdir()}/codeshelf-written && rm ${tmpdir()}/codeshelf-written`,
    passwd: "cat /etc/passwd",
    worker: `kill -0 ${process.pid}`,
    mirror: "touch own",
    certificates: "ls /etc/ssl",
    hosts: "cat /etc/hosts",
    network: `bash -c 'exec 5<>/dev/tcp/127.0.0.1/${port}'`,
    user: "[ $(id -u) = 0 ]",
  };
  const lines = Object.entries(tries).map(
    ([name, command]) => `if (${command}) >/dev/null 2>&1; then echo ${name} done; else echo ${name} no; fi`,
  );
  writeFileSync(join(required(bin), "git"), ["#!/bin/sh", ...lines].join("\n"));
  for (const path of [bin, join(required(bin), "git")]) chmodSync(required(path), 0o755);
  const isolation = index === null ? null : await findGitIsolation(silentLog, [itemAt(methods, index)]);
  if (index !== null) expect(isolation, "it does not work on this machine").not.toBe(null);
  await prepareMirrorDirectory(required(mirror), isolation);
  process.env.PATH = `${bin}:${PATH}`;
  onTestFinished(() => {
    process.env.PATH = PATH;
  });
  const output = await runGit({
    cwd: required(mirror),
    args: [],
    protocols: network ? ["http"] : [],
    timeoutMs: 30_000,
    maxFileBytes: 1_000_000,
    signal: new AbortController().signal,
    isolation,
  });
  return Object.fromEntries(
    output
      .toString()
      .trim()
      .split("\n")
      .map((line) => line.split(" ")),
  );
}

const CLOSED = {
  secret: "no",
  other: "no",
  write: "no",
  temporary: "no",
  passwd: "no",
  worker: "no",
  user: "no",
};
const NEEDED = { mirror: "done", certificates: "done", hosts: "done" };

describe("a git that was taken over", { timeout: 60_000 }, () => {
  it("reaches all of it without isolation", async () => {
    const { user: _, ...reached } = await takenOver(null, true);
    expect(Object.values(reached)).toEqual(Object.values(reached).map(() => "done"));
  });

  it.each(
    drawCases(
      "ways to isolate git",
      methods.map(({ name }, i) => ({ name, i })),
      1,
    ),
  )("reaches by $name its mirror, the network while it fetches, and nothing else", async ({ i }) => {
    expect(await takenOver(i, true)).toEqual({ ...CLOSED, ...NEEDED, network: "done" });
    expect(await takenOver(i, false)).toEqual({ ...CLOSED, ...NEEDED, network: "no" });
  });

  it.runIf(isRoot())("is a user of its own, to which older mirrors are handed over", async () => {
    const mirror = join(await temporaryDirectory("mirror"), "a.git");
    mkdirSync(join(mirror, "refs"), { recursive: true });
    writeFileSync(join(mirror, "HEAD"), "ref: refs/heads/main\n");
    const isolation = await findGitIsolation(silentLog);
    await prepareMirrorDirectory(mirror, isolation);
    for (const path of [mirror, join(mirror, "refs"), join(mirror, "HEAD")])
      expect(statSync(path).uid).toBe(GIT_ACCOUNT.uid);
    expect(readFileSync(join(mirror, "HEAD"), "utf8")).toContain("main");
  });
});
