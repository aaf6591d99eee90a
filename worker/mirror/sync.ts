import type { Db } from "#db/client.ts";
import type { RepoDoc } from "#db/repos/documents.ts";
import { putCommits, putRenames } from "#db/repos/repo-history.server.ts";
import {
  listManifest,
  type ManifestFile,
  type ManifestRow,
  putFiles,
  removeFiles,
  removeUnusedTexts,
  repairContents,
} from "#db/repos/repo-manifest.server.ts";
import type { Synced } from "#db/repos/repo-sync.server.ts";
import { sumMirroredBytes } from "#db/repos/repos.server.ts";
import { decodeBody } from "#domain/files/file.ts";
import { detectLanguage } from "#domain/files/language.ts";
import { writeStep } from "#domain/jobs/log-steps.ts";
import { isRefusal } from "#domain/refusal.ts";
import {
  baseName,
  isStorablePath,
  listParentFolders,
  REPO_TEXT_MAX_BYTES,
  type RepoFileKind,
} from "#domain/repos/repo.ts";
import type { MirrorConfig } from "#worker/mirror/config.ts";
import { type Ask, fetchMirror, findCommit, protectCommit } from "#worker/mirror/fetch.ts";
import { GitFault } from "#worker/mirror/git.ts";
import {
  diffCommits,
  isAncestor,
  listEntries,
  listNewCommits,
  listSizes,
  readBlobs,
  type TreeChanges,
  type TreeEntry,
} from "#worker/mirror/objects.ts";

/**
 * Updates the store to the remote's state. The commit being written is in the record from before the first write until after
 * the last. A later sync that finds it there compares everything instead of trusting the last known commit.
 */
type SyncTask = {
  db: Db;
  config: MirrorConfig;
  now: Date;
  signal: AbortSignal;
  /** Writes into the record while this run has the claim; throws after it was lost. */
  hold(columns?: Partial<RepoDoc>): Promise<void>;
  report(progress: { processed_items: number; total_items: number }): Promise<void>;
  writeLog(line: string): void;
};

type SyncResult = { synced: Synced; changed: number };

const COMMITS_KEPT = 1_000;
const READ_BYTES = 16 * 1024 * 1024;
const READ_AT_ONCE = 500;
const SYMLINK = "120000";
const SUBMODULE = "160000";
const NO_ENTRIES: TreeChanges = { put: [], drop: [], renames: [], unreadable: 0 };

export async function syncMirror(task: SyncTask, repo: RepoDoc): Promise<SyncResult> {
  task.writeLog(writeStep("fetching", { host: readHost(repo.url) }));
  const { branch, head, ask } = await fetchMirror(task.config, repo, task.signal);
  const { files, bytes, skipped } = repo;
  task.writeLog(
    head === null
      ? "It has no commit"
      : writeStep("fetched", { commit: head.slice(0, 12), branch: String(branch) }),
  );
  if (head === repo.head && repo.pending_head === undefined && repo.last_sync_time)
    return { synced: { branch, head, files, bytes, skipped }, changed: 0 };
  const tree = filterPaths(head === null ? NO_ENTRIES : await listEntries(ask, head, task.config.maxFiles));
  const before = await listManifest(task.db, repo);
  const base = repo.head === null ? null : await findCommit(ask, repo.head);
  const isComplete = repo.pending_head === undefined;
  const diff = head !== null && base !== null ? filterPaths(await diffCommits(ask, base, head)) : null;
  const changes =
    diff && isComplete
      ? diff
      : { ...compareTrees(tree, before), renames: diff?.renames ?? NO_ENTRIES.renames };
  const returned = (isComplete ? changes : tree).put.map(({ path }) => path);
  task.writeLog(
    `${changes.put.length} files to write, ${changes.drop.length} to remove; ${tree.skipped} cannot be kept`,
  );
  const sizes = await writeChanges(task, repo, ask, { ...changes, returned, before, head });
  if (!isComplete) await repairContents(task.db, repo);
  if (head !== null) {
    await writeHistory(task, repo, ask, { head, base });
    await protectCommit(ask, head);
  }
  const totals = { files: sizes.size, bytes: sum(sizes.values()), skipped: tree.skipped };
  return { synced: { branch, head, ...totals }, changed: changes.put.length + changes.drop.length };
}

/** Without the path, because names are the owner's own. */
const readHost = (url: string) => URL.parse(url)?.host || "localhost";

type Changes = Omit<TreeChanges, "unreadable"> & { skipped: number };

function filterPaths({ put, drop, renames, unreadable }: TreeChanges): Changes {
  const keepableFiles = put.filter(({ path }) => isStorablePath(path));
  return {
    put: keepableFiles,
    drop,
    renames: renames.filter(({ from, to }) => isStorablePath(from) && isStorablePath(to)),
    skipped: put.length - keepableFiles.length + unreadable,
  };
}

/** Compares the whole tree with the whole store, if the store may not hold a complete commit. */
function compareTrees(tree: Changes, before: ReadonlyMap<string, ManifestRow>): Changes {
  const treePaths = new Set(tree.put.map(({ path }) => path));
  return {
    ...tree,
    put: tree.put.filter(({ path, blob }) => before.get(path)?.blob !== blob),
    drop: [...before.keys()].filter((path) => !treePaths.has(path)),
  };
}

type SizedEntry = TreeEntry & { size: number; kind: RepoFileKind | null };
type PendingChanges = Changes & {
  /** Paths that have a file again, or may have one, so no file was moved away from them. */
  returned: string[];
  before: ReadonlyMap<string, ManifestRow>;
  head: string | null;
};

/** Returns the sizes of all files after the changes, by path. */
async function writeChanges(
  task: SyncTask,
  repo: RepoDoc,
  ask: Ask,
  changes: PendingChanges,
): Promise<Map<string, number>> {
  const { db, now } = task;
  const { put, drop, renames, returned, before, head } = changes;
  const sizedEntries = await addSizes(ask, put);
  let text_bytes = checkMirrorLimits(task.config, sizedEntries, changes);
  await claimMirrorBytes(task, repo, text_bytes);
  await task.hold({ pending_head: head });
  let writtenCount = 0;
  for (const portion of splitPortions(sizedEntries)) {
    const files = await addTexts(ask, portion);
    await putFiles(db, repo, files, before);
    writtenCount += portion.length;
    // Files that might be texts were counted as texts until they were read.
    text_bytes -= sum(files.filter(({ kind }) => kind === "binary").map(({ size }) => size));
    await task.hold({ text_bytes });
    await task.report({ processed_items: writtenCount, total_items: sizedEntries.length });
  }
  await putRenames(db, repo, renames, returned, { commit: head ?? "", at: now });
  await removeFiles(db, repo, drop);
  await removeUnusedTexts(
    db,
    repo,
    [...drop, ...put.map(({ path }) => path)].flatMap((path) => before.get(path)?.blob ?? []),
  );
  return weighPaths(sizedEntries, changes, ({ size }) => size);
}

type WeighedFile = { size: number; kind: RepoFileKind | null };

/** Returns every path after the changes with its weight. */
function weighPaths(
  sizedEntries: readonly SizedEntry[],
  { before, drop }: PendingChanges,
  weigh: (file: WeighedFile) => number,
): Map<string, number> {
  const weights = new Map([...before].map(([path, row]) => [path, weigh(row)]));
  for (const path of drop) weights.delete(path);
  for (const entry of sizedEntries) weights.set(entry.path, weigh(entry));
  return weights;
}

const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, number) => total + number, 0);

async function addSizes(ask: Ask, entries: readonly TreeEntry[]): Promise<SizedEntry[]> {
  const blobs = entries.filter(({ mode }) => mode !== SUBMODULE).map(({ blob }) => blob);
  const sizes = blobs.length > 0 ? await listSizes(ask, [...new Set(blobs)]) : new Map<string, number>();
  return entries.map((entry) => {
    const size = sizes.get(entry.blob) ?? 0;
    return { ...entry, size, kind: classifyEntry(entry.mode, size) };
  });
}

/** Returns null for entries that may turn out to be texts. */
function classifyEntry(mode: string, size: number): RepoFileKind | null {
  if (mode === SUBMODULE) return "submodule";
  if (mode === SYMLINK) return "symlink";
  return size > REPO_TEXT_MAX_BYTES ? "large" : null;
}

/** Checked before anything is written: a mirror that would exceed its limits keeps its old contents. */
function checkMirrorLimits(
  { maxFiles, maxBytes }: MirrorConfig,
  sizedEntries: readonly SizedEntry[],
  changes: PendingChanges,
): number {
  const texts = weighPaths(sizedEntries, changes, ({ kind, size }) =>
    kind === null || kind === "text" ? size : 0,
  );
  if (texts.size > maxFiles || hasMoreFolders(texts.keys(), maxFiles)) throw new GitFault("too_many_files");
  const bytes = sum(texts.values());
  if (bytes > maxBytes) throw new GitFault("too_large");
  return bytes;
}

/** A few files may have a great many folders, and each is stored. */
function hasMoreFolders(paths: Iterable<string>, max: number): boolean {
  let folders = 0;
  for (const _ of listParentFolders(paths)) {
    folders += 1;
    if (folders > max) return true;
  }
  return false;
}

/**
 * Checks the limit of all mirrors of the owner. Each mirror claims its bytes first and then reads all claims, so of two at the
 * same time at least one sees both. A mirror that shrinks or stays the same is never refused.
 */
async function claimMirrorBytes({ db, config, hold }: SyncTask, repo: RepoDoc, bytes: number): Promise<void> {
  await db.disk.refuseIfFull();
  const oldBytes = repo.text_bytes ?? 0;
  await hold({ text_bytes: bytes });
  if (bytes <= oldBytes || (await sumMirroredBytes(db, repo.user_id)) <= config.maxBytesPerPerson) return;
  await hold({ text_bytes: oldBytes });
  throw new GitFault("mirrors_full");
}

function splitPortions(entries: readonly SizedEntry[]): SizedEntry[][] {
  const portions: SizedEntry[][] = [];
  let bytes = 0;
  for (const entry of entries) {
    const weight = entry.kind === null ? entry.size : 0;
    const lastPortion = portions.at(-1);
    if (!lastPortion || bytes + weight > READ_BYTES || lastPortion.length === READ_AT_ONCE) {
      portions.push([entry]);
      bytes = weight;
    } else {
      lastPortion.push(entry);
      bytes += weight;
    }
  }
  return portions;
}

async function addTexts(ask: Ask, entries: readonly SizedEntry[]): Promise<ManifestFile[]> {
  const sizes = new Map(entries.filter(({ kind }) => kind === null).map(({ blob, size }) => [blob, size]));
  const contents = sizes.size > 0 ? await readBlobs(ask, sizes) : new Map<string, Buffer>();
  return entries.map(({ path, blob, size, kind }) => {
    const bytes = contents.get(blob);
    const body = kind === null && bytes ? decodeBody(bytes) : null;
    const text = isRefusal(body) ? null : body;
    return {
      path,
      blob,
      size,
      kind: kind ?? (text === null ? "binary" : "text"),
      language: detectLanguage(baseName(path), text ?? ""),
      text,
    };
  });
}

async function writeHistory(
  { db }: SyncTask,
  repo: RepoDoc,
  ask: Ask,
  { head, base }: { head: string; base: string | null },
): Promise<void> {
  const continuesHistory = base !== null && (await isAncestor(ask, base, head));
  const commits = await listNewCommits(ask, head, continuesHistory ? base : null, COMMITS_KEPT);
  await putCommits(db, repo, commits, { isRewritten: !continuesHistory, keep: COMMITS_KEPT });
}
