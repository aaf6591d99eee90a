import { tmpdir } from "node:os";
import type { GitFaultCode } from "#domain/repos/repo.ts";
import { SECOND_MS } from "#domain/time/durations.ts";
import { GitFault, runGit } from "#worker/mirror/git.ts";

/** From this version on, git pins a name to addresses by configuration; older versions would resolve it again, unchecked. */
const OLDEST_GIT = [2, 37] as const;
const VERSION_TIMEOUT_MS = 10 * SECOND_MS;

export async function checkGitVersion(ask: (args: readonly string[]) => Promise<Buffer>): Promise<void> {
  const output = (await ask(["version"])).toString("utf8");
  const [major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(output) ?? []).slice(1).map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_GIT;
  const isOld = major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
  if (isOld) throw new GitFault("git_too_old");
}

/** Returns why this machine cannot copy repositories; null if it can or if only a sync will show it. */
export async function findGitFault(): Promise<GitFaultCode | null> {
  const { signal } = new AbortController();
  const call = { cwd: tmpdir(), timeoutMs: VERSION_TIMEOUT_MS, maxFileBytes: 0, signal };
  try {
    await checkGitVersion((args) => runGit({ ...call, args }));
    return null;
  } catch (error) {
    const code = error instanceof GitFault ? error.code : null;
    return code === "git_missing" || code === "git_too_old" ? code : null;
  }
}
