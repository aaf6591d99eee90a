import type { Commit, Rename } from "#db/repos/repo-history.server.ts";
import type { Ask } from "#worker/mirror/fetch.ts";
import { GitFault, isTooLarge } from "#worker/mirror/git.ts";

/** Reads a mirror's objects. Everything is requested by hash and separated by NUL bytes, so that no name can be mistaken for anything else. */
export type TreeEntry = { mode: string; blob: string; path: string };
export type TreeChanges = { put: TreeEntry[]; drop: string[]; renames: Rename[]; unreadable: number };

const RENAMES_LIMIT = "-l1000";
const NOTHING = "000000";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decodeName(bytes: Buffer): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

function* splitParts(output: Buffer): Generator<Buffer> {
  for (let start = 0; start < output.length; ) {
    const end = output.indexOf(0, start);
    if (end < 0) throw new GitFault("git_failed");
    yield output.subarray(start, end);
    start = end + 1;
  }
}

/** Lists the files of a commit. A tree may contain the same folder a million times, so reading stops at the limit. */
export async function listEntries(ask: Ask, commit: string, maxFiles: number): Promise<TreeChanges> {
  const output = await ask(["ls-tree", "-r", "-z", "--full-tree", commit]);
  const changes: TreeChanges = { put: [], drop: [], renames: [], unreadable: 0 };
  for (const part of splitParts(output)) {
    if (changes.put.length + changes.unreadable === maxFiles) throw new GitFault("too_many_files");
    const tab = part.indexOf("\t");
    const [mode = "", , blob = ""] = part.subarray(0, tab).toString("latin1").split(" ");
    const path = decodeName(part.subarray(tab + 1));
    if (path === null) changes.unreadable += 1;
    else changes.put.push({ mode, blob, path });
  }
  return changes;
}

export async function diffCommits(ask: Ask, from: string, to: string): Promise<TreeChanges> {
  const output = await ask(["diff-tree", "-r", "-z", "-M", RENAMES_LIMIT, "--raw", from, to]);
  const changes: TreeChanges = { put: [], drop: [], renames: [], unreadable: 0 };
  const parts = splitParts(output);
  for (const part of parts) {
    const [, mode = "", , blob = "", status = ""] = part.toString("latin1").split(" ");
    const path = decodeName(parts.next().value ?? Buffer.alloc(0));
    const isMove = /^[RC]/.test(status);
    const target = isMove ? decodeName(parts.next().value ?? Buffer.alloc(0)) : path;
    if (path !== null && (status.startsWith("R") || mode === NOTHING)) changes.drop.push(path);
    if (path !== null && target !== null && status.startsWith("R"))
      changes.renames.push({ from: path, to: target });
    if (mode === NOTHING) continue;
    if (target === null) changes.unreadable += 1;
    else changes.put.push({ mode, blob, path: target });
  }
  return changes;
}

export async function listSizes(ask: Ask, blobs: readonly string[]): Promise<Map<string, number>> {
  const output = await ask(["cat-file", "--batch-check"], joinLines(blobs));
  const sizes = new Map<string, number>();
  for (const line of output.toString("latin1").split("\n")) {
    const [, blob, size] = /^([0-9a-f]+) blob (\d+)$/.exec(line) ?? [];
    if (blob) sizes.set(blob, Number(size));
  }
  return sizes;
}

const joinLines = (words: readonly string[]) => words.map((word) => `${word}\n`).join("");
const HEADER_BYTES = 100;

/** Returns the contents of objects by hash; their sizes are known. */
export async function readBlobs(ask: Ask, sizes: ReadonlyMap<string, number>): Promise<Map<string, Buffer>> {
  const expected = [...sizes.values()].reduce((sum, size) => sum + size + HEADER_BYTES, 0);
  const output = await ask(["cat-file", "--batch"], joinLines([...sizes.keys()]), expected + HEADER_BYTES);
  const contents = new Map<string, Buffer>();
  for (let offset = 0; offset < output.length; ) {
    const end = output.indexOf("\n", offset);
    const [blob = "", , size = ""] = output.subarray(offset, end).toString("latin1").split(" ");
    const from = end + 1;
    if (end < 0 || !/^\d+$/.test(size)) throw new GitFault("git_failed");
    contents.set(blob, output.subarray(from, from + Number(size)));
    offset = from + Number(size) + 1;
  }
  return contents;
}

const AUTHOR_MAX = 200;
const SUBJECT_MAX = 500;
const PATHS_MAX = 500;
const MS = 1_000;
/** The end of the year 9999: timestamps have four digits for the year, and commits may have any date. */
const LAST_SECOND = 253_402_300_799;

/** Lists the newest commits in the history of `to` but not of `from`, with their changed paths. */
export async function listNewCommits(
  ask: Ask,
  to: string,
  from: string | null,
  limit: number,
): Promise<Commit[]> {
  const range = from === null ? [to] : [to, `^${from}`];
  const revList = await ask(["rev-list", `--max-count=${limit}`, ...range]);
  const hashes = revList.toString("latin1").split("\n").filter(Boolean);
  if (hashes.length === 0) return [];
  const paths = await listPaths(ask, hashes);
  const log = await ask(
    [
      "log",
      "--no-walk=unsorted",
      "--stdin",
      "-z",
      "--no-show-signature",
      "--format=tformat:%H%n%an%n%ct%n%s",
    ],
    joinLines(hashes),
  );
  return log
    .toString("utf8")
    .split("\0")
    .filter(Boolean)
    .map((text) => {
      const [commit = "", author = "", seconds, ...subject] = text.split("\n");
      const touched = paths.get(commit) ?? { paths: [], count: 0 };
      return {
        commit,
        author: author.toWellFormed().slice(0, AUTHOR_MAX),
        at: new Date(Math.min(Number(seconds) || 0, LAST_SECOND) * MS),
        subject: subject.join(" ").toWellFormed().slice(0, SUBJECT_MAX),
        paths: touched.paths,
        touched: touched.count,
      };
    });
}

/** True if the newer commit's history contains the older one. */
export async function isAncestor(ask: Ask, older: string, newer: string): Promise<boolean> {
  return (await ask(["rev-list", "--max-count=1", older, `^${newer}`])).length === 0;
}

type TouchedPaths = Map<string, { paths: string[]; count: number }>;

/** If the commits change more paths than can be read at once, they are read in halves; for a single commit the paths are left out. */
async function listPaths(ask: Ask, commits: readonly string[]): Promise<TouchedPaths> {
  try {
    return readPaths(
      await ask(["diff-tree", "--stdin", "-r", "-z", "--root", "--raw", "--no-renames"], joinLines(commits)),
    );
  } catch (error) {
    if (!isTooLarge(error)) throw error;
  }
  if (commits.length === 1) return new Map();
  const half = commits.length >> 1;
  const first = await listPaths(ask, commits.slice(0, half));
  return new Map([...first, ...(await listPaths(ask, commits.slice(half)))]);
}

/** A change begins with a colon and is followed by its path; any other part is the next commit. */
function readPaths(output: Buffer): TouchedPaths {
  const touched: TouchedPaths = new Map();
  const parts = splitParts(output);
  let current = { paths: [] as string[], count: 0 };
  for (const part of parts) {
    if (part[0] !== 0x3a) {
      current = { paths: [], count: 0 };
      touched.set(part.toString("latin1").trim(), current);
      continue;
    }
    const name = parts.next().value ?? Buffer.alloc(0);
    current.count += 1;
    const path = current.paths.length < PATHS_MAX ? decodeName(name) : null;
    if (path !== null) current.paths.push(path);
  }
  return touched;
}
