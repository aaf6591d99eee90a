import { tmpdir } from "node:os";
import type { GitFaultCode } from "#domain/repos/repo.ts";
import { SECOND_MS } from "#domain/time/durations.ts";
import { GitFault, runGit } from "#worker/mirror/git.ts";

/** From here on git pins a name to addresses by configuration; an older one would resolve it again, unjudged. */
const OLDEST_GIT = [2, 37] as const;
const ANSWER_WITHIN_MS = 10 * SECOND_MS;

export async function checkVersion(ask: (args: readonly string[]) => Promise<Buffer>): Promise<void> {
  const said = (await ask(["version"])).toString("utf8");
  const [major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(said) ?? []).slice(1).map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_GIT;
  const old = major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
  if (old) throw new GitFault("git_too_old");
}

/** Why this machine can copy no repository; null where it can, or where only a sync will tell. */
export async function findGitFault(): Promise<GitFaultCode | null> {
  const { signal } = new AbortController();
  const call = { cwd: tmpdir(), timeoutMs: ANSWER_WITHIN_MS, maxFileBytes: 0, signal };
  try {
    await checkVersion((args) => runGit({ ...call, args }));
    return null;
  } catch (error) {
    const code = error instanceof GitFault ? error.code : null;
    return code === "git_missing" || code === "git_too_old" ? code : null;
  }
}
