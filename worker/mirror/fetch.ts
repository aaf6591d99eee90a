import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { RepoDoc } from "#db/repos/documents.ts";
import { decryptSecret } from "#platform/secrets/encrypted-secret.ts";
import { type MirrorConfig, mirrorDirectory } from "#worker/mirror/config.ts";
import { GitFault, isTooLarge, runGit } from "#worker/mirror/git.ts";
import { makeMirrorDirectory } from "#worker/mirror/git-isolation.ts";
import { checkVersion } from "#worker/mirror/git-version.ts";
import { reachRemote } from "#worker/mirror/remote.ts";

/** The mirror on disk, as new as its remote. `head` is null for a repository without a commit. */
type Fetched = { branch: string | null; head: string | null; ask: Ask };

/** Asks git about the mirror. */
export type Ask = (args: readonly string[], input?: string, maxOutputBytes?: number) => Promise<Buffer>;

const MEASURED_EVERY_MS = 250;
const PACKS_MAX = 20;
/** The branch that is mirrored, as the remote has it. Its other branches are not fetched: each would be a file here. */
const FETCHED_REF = "refs/codeshelf/fetched";
const SYNCED_REF = "refs/codeshelf/synced";

export async function fetchMirror(
  config: MirrorConfig,
  repo: RepoDoc,
  signal: AbortSignal,
): Promise<Fetched> {
  const cwd = mirrorDirectory(config, repo);
  const deadlineMs = performance.now() + config.timeoutMs;
  const limits = () => ({
    cwd,
    signal,
    timeoutMs: Math.max(1, deadlineMs - performance.now()),
    maxFileBytes: config.maxBytes,
    isolation: config.isolation,
    readOnly: listReadable(config, repo),
  });
  const ask: Ask = (args, input, maxOutputBytes) =>
    runGit({ ...limits(), args: ["--git-dir=.", ...args], input, maxOutputBytes });
  const prepare = async () => {
    await makeMirrorDirectory(cwd, config.isolation ?? null);
    await checkVersion(ask);
    await ask(["init", "--bare", "--quiet", "--template=", "--initial-branch=main"]);
  };
  await prepare();
  const remote = await reachRemote(repo.url, openToken(config, repo), config);
  const known = await runGit({
    ...limits(),
    ...remote,
    args: ["ls-remote", "--symref", "--", repo.url, "HEAD", "refs/heads/*"],
  });
  const branch = branchIn(known.toString("utf8"));
  if (branch === null) return { branch: null, head: null, ask };
  const fetchBranch = () =>
    withinSize(config, cwd, signal, (limited) =>
      runGit({
        ...limits(),
        ...remote,
        signal: limited,
        args: [...FETCH, repo.url, `+${HEADS}${branch}:${FETCHED_REF}`],
      }),
    );
  const synced = await findCommit(ask, SYNCED_REF);
  await fetchBranch().catch(async (error) => {
    // What rewritten histories left behind is gone with the mirror; what the remote has now may fit.
    if (synced === null || !isTooLarge(error)) throw error;
    await prepare();
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
  // Without it git takes nothing from a remote that is itself a shallow copy, and calls that a success.
  "--update-shallow",
  "--",
] as const;

/** What git reads of this machine for one remote: the certificates it is trusted by, and itself where it lies here. */
function listReadable({ caFile }: MirrorConfig, { url }: RepoDoc): string[] {
  return [...(caFile ? [caFile] : []), ...(url.startsWith("file:") ? [fileURLToPath(url)] : [])];
}

function openToken({ dataKeys }: MirrorConfig, { sealed_token }: RepoDoc): string | null {
  if (sealed_token === null) return null;
  const token = decryptSecret(dataKeys(), sealed_token);
  if (token === null) throw new GitFault("token_unreadable");
  return token;
}

const USUAL_BRANCHES = ["main", "master"];
const HEADS = "refs/heads/";

/** The branch that the remote shows first; of a remote that names none, the one its HEAD is at, then a usual one. */
function branchIn(said: string): string | null {
  const rows = said.split("\n").map((line) => {
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

/** A commit by its hash or full name; null where there is none. */
export async function findCommit(ask: Ask, name: string): Promise<string | null> {
  const said = (await ask(["cat-file", "--batch-check"], `${name}^{commit}\n`)).toString("utf8");
  return /^([0-9a-f]{40,64}) commit \d+\n$/.exec(said)?.[1] ?? null;
}

/** Keeps the commit whose files are in the store, also where its branch is rewritten. */
export async function keepCommit(ask: Ask, commit: string): Promise<void> {
  await ask(["update-ref", SYNCED_REF, commit]);
}

/** Ends the work once the mirror has outgrown its size, and takes such a mirror away. */
async function withinSize(
  { maxBytes }: MirrorConfig,
  cwd: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const outgrown = new AbortController();
  const measure = async () => {
    if ((await measureSize(cwd)) > maxBytes) outgrown.abort(new GitFault("too_large"));
  };
  let isMeasuring = false;
  const timer = setInterval(async () => {
    if (isMeasuring) return;
    isMeasuring = true;
    await measure().catch(() => {});
    isMeasuring = false;
  }, MEASURED_EVERY_MS);
  try {
    await work(AbortSignal.any([signal, outgrown.signal]));
    await measure();
    outgrown.signal.throwIfAborted();
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

/** Objects lie in packs, or one by one where the remote is a plain server of files. */
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
