import type { Db } from "#db/client.ts";
import type { RepoDoc } from "#db/repos/documents.ts";
import { putCommits, putRenames } from "#db/repos/repo-history.server.ts";
import {
  dropFiles,
  dropUnusedTexts,
  listManifest,
  type ManifestFile,
  type ManifestRow,
  putFiles,
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
  isKeepablePath,
  listFolders,
  REPO_TEXT_MAX_BYTES,
  type RepoFileKind,
} from "#domain/repos/repo.ts";
import type { MirrorConfig } from "#worker/mirror/config.ts";
import { type Ask, fetchMirror, findCommit, keepCommit } from "#worker/mirror/fetch.ts";
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
 * Brings the store to what the remote shows. The commit that is being written stands in the record from before the first write
 * to after the last: a sync that finds it there compares everything instead of trusting the last commit it knows.
 */
type SyncTask = {
  db: Db;
  config: MirrorConfig;
  now: Date;
  signal: AbortSignal;
  /** Writes into the record while this run holds it; throws where it does not any more. */
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
  const tree = keepable(head === null ? NO_ENTRIES : await listEntries(ask, head, task.config.maxFiles));
  const before = await listManifest(task.db, repo);
  const known = repo.head === null ? null : await findCommit(ask, repo.head);
  const isWhole = repo.pending_head === undefined;
  const since = head !== null && known !== null ? keepable(await diffCommits(ask, known, head)) : null;
  const changes =
    since && isWhole
      ? since
      : { ...differences(tree, before), renames: since?.renames ?? NO_ENTRIES.renames };
  const returned = (isWhole ? changes : tree).put.map(({ path }) => path);
  task.writeLog(
    `${changes.put.length} files to write, ${changes.drop.length} to remove; ${tree.skipped} cannot be kept`,
  );
  const sizes = await write(task, repo, ask, { ...changes, returned, before, head });
  if (!isWhole) await repairContents(task.db, repo);
  if (head !== null) {
    await writeHistory(task, repo, ask, { head, known });
    await keepCommit(ask, head);
  }
  const after = { files: sizes.size, bytes: sum(sizes.values()), skipped: tree.skipped };
  return { synced: { branch, head, ...after }, changed: changes.put.length + changes.drop.length };
}

/** Without the path: its owner's names are theirs. */
const readHost = (url: string) => URL.parse(url)?.host || "localhost";

type Changes = Omit<TreeChanges, "unreadable"> & { skipped: number };

function keepable({ put, drop, renames, unreadable }: TreeChanges): Changes {
  const good = put.filter(({ path }) => isKeepablePath(path));
  return {
    put: good,
    drop,
    renames: renames.filter(({ from, to }) => isKeepablePath(from) && isKeepablePath(to)),
    skipped: put.length - good.length + unreadable,
  };
}

/** Where the store is not known to hold a commit: the whole tree against all that it holds. */
function differences(tree: Changes, before: ReadonlyMap<string, ManifestRow>): Changes {
  const kept = new Set(tree.put.map(({ path }) => path));
  return {
    ...tree,
    put: tree.put.filter(({ path, blob }) => before.get(path)?.blob !== blob),
    drop: [...before.keys()].filter((path) => !kept.has(path)),
  };
}

type Sized = TreeEntry & { size: number; kind: RepoFileKind | null };
type Writing = Changes & {
  /** Paths that have a file again, or may have one: no file went from there. */
  returned: string[];
  before: ReadonlyMap<string, ManifestRow>;
  head: string | null;
};

/** Answers the sizes of all files there are then, by path. */
async function write(
  task: SyncTask,
  repo: RepoDoc,
  ask: Ask,
  writing: Writing,
): Promise<Map<string, number>> {
  const { db, now } = task;
  const { put, drop, renames, returned, before, head } = writing;
  const sized = await withSizes(ask, put);
  let text_bytes = checkRoom(task.config, sized, writing);
  await claimRoom(task, repo, text_bytes);
  await task.hold({ pending_head: head });
  let written = 0;
  for (const portion of splitPortions(sized)) {
    const files = await withTexts(ask, portion);
    await putFiles(db, repo, files, before);
    written += portion.length;
    // What might have been a text was counted as one until it was read.
    text_bytes -= sum(files.filter(({ kind }) => kind === "binary").map(({ size }) => size));
    await task.hold({ text_bytes });
    await task.report({ processed_items: written, total_items: sized.length });
  }
  await putRenames(db, repo, renames, returned, { commit: head ?? "", at: now });
  await dropFiles(db, repo, drop);
  await dropUnusedTexts(
    db,
    repo,
    [...drop, ...put.map(({ path }) => path)].flatMap((path) => before.get(path)?.blob ?? []),
  );
  return afterwards(sized, writing, ({ size }) => size);
}

type Weighed = { size: number; kind: RepoFileKind | null };

/** Every path there is once the changes are made, and what it weighs. */
function afterwards(
  sized: readonly Sized[],
  { before, drop }: Writing,
  weigh: (file: Weighed) => number,
): Map<string, number> {
  const weights = new Map([...before].map(([path, row]) => [path, weigh(row)]));
  for (const path of drop) weights.delete(path);
  for (const entry of sized) weights.set(entry.path, weigh(entry));
  return weights;
}

const sum = (numbers: Iterable<number>) => [...numbers].reduce((all, number) => all + number, 0);

async function withSizes(ask: Ask, entries: readonly TreeEntry[]): Promise<Sized[]> {
  const blobs = entries.filter(({ mode }) => mode !== SUBMODULE).map(({ blob }) => blob);
  const sizes = blobs.length > 0 ? await listSizes(ask, [...new Set(blobs)]) : new Map<string, number>();
  return entries.map((entry) => {
    const size = sizes.get(entry.blob) ?? 0;
    return { ...entry, size, kind: classifyEntry(entry.mode, size) };
  });
}

/** Null for what may prove a text once it is read. */
function classifyEntry(mode: string, size: number): RepoFileKind | null {
  if (mode === SUBMODULE) return "submodule";
  if (mode === SYMLINK) return "symlink";
  return size > REPO_TEXT_MAX_BYTES ? "large" : null;
}

/** Before anything is written: a mirror that would outgrow its limits keeps what it has. */
function checkRoom({ maxFiles, maxBytes }: MirrorConfig, sized: readonly Sized[], writing: Writing): number {
  const texts = afterwards(sized, writing, ({ kind, size }) => (kind === null || kind === "text" ? size : 0));
  if (texts.size > maxFiles || hasMoreFolders(texts.keys(), maxFiles)) throw new GitFault("too_many_files");
  const bytes = sum(texts.values());
  if (bytes > maxBytes) throw new GitFault("too_large");
  return bytes;
}

/** A few files can lie in a great many folders, each of which is stored. */
function hasMoreFolders(paths: Iterable<string>, max: number): boolean {
  let folders = 0;
  for (const _ of listFolders(paths)) {
    folders += 1;
    if (folders > max) return true;
  }
  return false;
}

/**
 * Below what all mirrors of its owner may hold together. Each claims its bytes first and looks at all claims then: of two at
 * once, one at least sees both. A mirror that shrinks or stays is never refused.
 */
async function claimRoom({ db, config, hold }: SyncTask, repo: RepoDoc, bytes: number): Promise<void> {
  await db.disk.refuseIfFull();
  const before = repo.text_bytes ?? 0;
  await hold({ text_bytes: bytes });
  if (bytes <= before || (await sumMirroredBytes(db, repo.user_id)) <= config.maxBytesPerPerson) return;
  await hold({ text_bytes: before });
  throw new GitFault("mirrors_full");
}

function splitPortions(entries: readonly Sized[]): Sized[][] {
  const portions: Sized[][] = [];
  let bytes = 0;
  for (const entry of entries) {
    const weight = entry.kind === null ? entry.size : 0;
    const open = portions.at(-1);
    if (!open || bytes + weight > READ_BYTES || open.length === READ_AT_ONCE) {
      portions.push([entry]);
      bytes = weight;
    } else {
      open.push(entry);
      bytes += weight;
    }
  }
  return portions;
}

async function withTexts(ask: Ask, entries: readonly Sized[]): Promise<ManifestFile[]> {
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
  { head, known }: { head: string; known: string | null },
): Promise<void> {
  const goesOn = known !== null && (await isAncestor(ask, known, head));
  const commits = await listNewCommits(ask, head, goesOn ? known : null, COMMITS_KEPT);
  await putCommits(db, repo, commits, { anew: !goesOn, keep: COMMITS_KEPT });
}
