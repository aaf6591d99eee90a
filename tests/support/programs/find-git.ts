/** git, which the tests of mirrors need for their remotes. Root installs it if it is missing; otherwise that is an error. */
import { spawnSync } from "node:child_process";
import { installByApt } from "#tests/support/programs/install-by-apt.ts";

export function findGit(say: (line: string) => void, install = () => installByApt("git")): string {
  const version = readVersion();
  if (version) return version;
  say("no git on this machine");
  const installed = install() ? readVersion() : null;
  if (!installed) throw new Error("The tests of mirrored repositories need git. Install it.");
  return installed;
}

function readVersion(): string | null {
  const { status, stdout } = spawnSync("git", ["version"], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : null;
}
