import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { RepoDoc } from "#db/repos/documents.ts";
import { decryptSecret } from "#platform/secrets/encrypted-secret.ts";
import { type MirrorConfig, mirrorDirectory } from "#worker/mirror/config.ts";
import { GitFault, isTooLarge, runGit } from "#worker/mirror/git.ts";
import { prepareMirrorDirectory } from "#worker/mirror/git-isolation.ts";
import { checkGitVersion } from "#worker/mirror/git-version.ts";
import { prepareRemote } from "#worker/mirror/remote.ts";

/** The mirror on disk after a fetch. `head` is null for a repository without commits. */
type Fetched = { branch: string | null; head: string | null; ask: Ask };

/** Runs a git command on the mirror. */
export type Ask = (args: readonly string[], input?: string, maxOutputBytes?: number) => Promise<Buffer>;

const MEASURE_EVERY_MS = 250;
const PACKS_MAX = 20;
/** The mirrored branch of the remote. Other branches are not fetched, because each would be a file here. */
const FETCHED_REF = "refs/codeshelf/fetched";
const SYNCED_REF = "refs/codeshelf/synced";

export async function fetchMirror(
  config: MirrorConfig,
  repo: RepoDoc,
  signal: AbortSignal,
): Promise<Fetched> {
  const cwd = mirrorDirectory(config, repo);
  const deadlineMs = performance.now() + config.timeoutMs;
  const toCallLimits = () => ({
    cwd,
    signal,
    timeoutMs: Math.max(1, deadlineMs - performance.now()),
    maxFileBytes: config.maxBytes,
    isolation: config.isolation,
    readOnly: listReadable(config, repo),
  });
  const ask: Ask = (args, input, maxOutputBytes) =>
    runGit({ ...toCallLimits(), args: ["--git-dir=.", ...args], input, maxOutputBytes });
  const prepareMirror = async () => {
    await prepareMirrorDirectory(cwd, config.isolation ?? null);
    await checkGitVersion(ask);
    await ask(["init", "--bare", "--quiet", "--template=", "--initial-branch=main"]);
  };
  await prepareMirror();
  const remote = await prepareRemote(repo.url, decryptToken(config, repo), config);
  const refList = await runGit({
    ...toCallLimits(),
    ...remote,
    args: ["ls-remote", "--symref", "--", repo.url, "HEAD", "refs/heads/*"],
  });
  const branch = chooseBranch(refList.toString("utf8"));
  if (branch === null) return { branch: null, head: null, ask };
  const fetchBranch = () =>
    limitSize(config, cwd, signal, (limitedSignal) =>
      runGit({
        ...toCallLimits(),
        ...remote,
        signal: limitedSignal,
        args: [...FETCH, repo.url, `+${HEADS}${branch}:${FETCHED_REF}`],
      }),
    );
  const synced = await findCommit(ask, SYNCED_REF);
  await fetchBranch().catch(async (error) => {
    // The history left by rewritten branches is deleted with the mirror, so the remote's current state may fit.
    if (synced === null || !isTooLarge(error)) throw error;
    await prepareMirror();
    await fetchBranch();
  });
  if ((await listPacks(cwd)).length > PACKS_MAX) await ask(["gc", "--quiet", "--prune=now"]);
  return { branch, head: await findCommit(ask, FETCHED_REF), ask };
}

const FETCH = [
  "--git-dir=.",
  "fetch",
  "--quiet",
  "--force",
  "--no-tags",
  "--no-recurse-submodules",
  "--no-write-fetch-head",
  "--no-auto-maintenance",
  // Without it, git fetches nothing from a remote that is itself a shallow copy, and reports success.
  "--update-shallow",
  "--",
] as const;

/** Lists what git may read on this machine for a remote: certificates to trust, and a local repository. */
function listReadable({ caFile }: MirrorConfig, { url }: RepoDoc): string[] {
  return [...(caFile ? [caFile] : []), ...(url.startsWith("file:") ? [fileURLToPath(url)] : [])];
}

function decryptToken({ dataKeys }: MirrorConfig, { sealed_token }: RepoDoc): string | null {
  if (sealed_token === null) return null;
  const token = decryptSecret(dataKeys(), sealed_token);
  if (token === null) throw new GitFault("token_unreadable");
  return token;
}

const USUAL_BRANCHES = ["main", "master"];
const HEADS = "refs/heads/";

/** Chooses the remote's default branch, otherwise the branch of its HEAD, otherwise a usual one. */
function chooseBranch(lsRemote: string): string | null {
  const rows = lsRemote.split("\n").map((line) => {
    const [target = "", name = ""] = line.split("\t");
    return { target, name };
  });
  const symref = rows.find(({ target, name }) => name === "HEAD" && target.startsWith(`ref: ${HEADS}`));
  const commits = new Map(
    rows.filter(({ name }) => name.startsWith(HEADS)).map(({ target, name }) => [name, target]),
  );
  const names = [...commits.keys()].sort();
  const head = rows.find(({ target, name }) => name === "HEAD" && !target.startsWith("ref: "))?.target;
  const candidates = [
    symref?.target.slice("ref: ".length),
    names.find((name) => head !== undefined && commits.get(name) === head),
    ...USUAL_BRANCHES.map((name) => HEADS + name),
    names[0],
  ];
  return candidates.find((name) => name !== undefined && commits.has(name))?.slice(HEADS.length) ?? null;
}

/** Returns a commit by its hash or full name, or null. */
export async function findCommit(ask: Ask, name: string): Promise<string | null> {
  const output = (await ask(["cat-file", "--batch-check"], `${name}^{commit}\n`)).toString("utf8");
  return /^([0-9a-f]{40,64}) commit \d+\n$/.exec(output)?.[1] ?? null;
}

/** Keeps the commit of the stored files even if its branch is rewritten. */
export async function protectCommit(ask: Ask, commit: string): Promise<void> {
  await ask(["update-ref", SYNCED_REF, commit]);
}

/** Aborts the work when the mirror exceeds its size, and deletes that mirror. */
async function limitSize(
  { maxBytes }: MirrorConfig,
  cwd: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const sizeLimit = new AbortController();
  const measure = async () => {
    if ((await measureSize(cwd)) > maxBytes) sizeLimit.abort(new GitFault("too_large"));
  };
  let isMeasuring = false;
  const timer = setInterval(async () => {
    if (isMeasuring) return;
    isMeasuring = true;
    await measure().catch(() => {});
    isMeasuring = false;
  }, MEASURE_EVERY_MS);
  try {
    await work(AbortSignal.any([signal, sizeLimit.signal]));
    await measure();
    sizeLimit.signal.throwIfAborted();
  } catch (error) {
    if (isTooLarge(error)) await rm(cwd, { recursive: true, force: true });
    throw error;
  } finally {
    clearInterval(timer);
  }
}

const packDirectory = (cwd: string) => join(cwd, "objects", "pack");

async function listPacks(cwd: string): Promise<string[]> {
  return (await readdir(packDirectory(cwd))).filter((name) => name.endsWith(".pack"));
}

/** Objects are in packs, or single files if the remote is a plain file server. */
async function measureSize(cwd: string): Promise<number> {
  const entries = await readdir(join(cwd, "objects"), { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    entries.map(({ parentPath, name }) =>
      stat(join(parentPath, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
