import type { Commit, Rename } from "#db/repos/repo-history.server.ts";
import type { Ask } from "#worker/mirror/fetch.ts";
import { GitFault } from "#worker/mirror/git.ts";

/**
 * Reading a mirror's objects. Everything is asked for by hash and comes back between NUL bytes, so that no name, however
 * strange, is taken for anything else.
 */
export type TreeEntry = { mode: string; blob: string; path: string };
export type TreeChanges = { put: TreeEntry[]; drop: string[]; renames: Rename[]; unreadable: number };

const RENAMES_LIMIT = "-l1000";
const NOTHING = "000000";

/** Null for a name that is no text. */
function nameIn(bytes: Buffer): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function* splitParts(output: Buffer): Generator<Buffer> {
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(0, at);
    if (end < 0) throw new GitFault("git_failed");
    yield output.subarray(at, end);
    at = end + 1;
  }
}

/** Every file of a commit. */
export async function listEntries(ask: Ask, commit: string): Promise<TreeChanges> {
  const output = await ask(["ls-tree", "-r", "-z", "--full-tree", commit]);
  const changes: TreeChanges = { put: [], drop: [], renames: [], unreadable: 0 };
  for (const part of splitParts(output)) {
    const tab = part.indexOf("\t");
    const [mode = "", , blob = ""] = part.subarray(0, tab).toString("latin1").split(" ");
    const path = nameIn(part.subarray(tab + 1));
    if (path === null) changes.unreadable += 1;
    else changes.put.push({ mode, blob, path });
  }
  return changes;
}

/** What differs between two commits, moved files told as such. */
export async function diffCommits(ask: Ask, from: string, to: string): Promise<TreeChanges> {
  const output = await ask(["diff-tree", "-r", "-z", "-M", RENAMES_LIMIT, "--raw", from, to]);
  const changes: TreeChanges = { put: [], drop: [], renames: [], unreadable: 0 };
  const parts = splitParts(output);
  for (const part of parts) {
    const [, mode = "", , blob = "", status = ""] = part.toString("latin1").split(" ");
    const path = nameIn(parts.next().value ?? Buffer.alloc(0));
    const isMove = /^[RC]/.test(status);
    const target = isMove ? nameIn(parts.next().value ?? Buffer.alloc(0)) : path;
    if (path !== null && (status.startsWith("R") || mode === NOTHING)) changes.drop.push(path);
    if (path !== null && target !== null && status.startsWith("R"))
      changes.renames.push({ from: path, to: target });
    if (mode === NOTHING) continue;
    if (target === null) changes.unreadable += 1;
    else changes.put.push({ mode, blob, path: target });
  }
  return changes;
}

/** The sizes of objects by hash; those that are not in the mirror are left out. */
export async function listSizes(ask: Ask, blobs: readonly string[]): Promise<Map<string, number>> {
  const output = await ask(["cat-file", "--batch-check"], lines(blobs));
  const sizes = new Map<string, number>();
  for (const line of output.toString("latin1").split("\n")) {
    const [, blob, size] = /^([0-9a-f]+) blob (\d+)$/.exec(line) ?? [];
    if (blob) sizes.set(blob, Number(size));
  }
  return sizes;
}

const lines = (words: readonly string[]) => words.map((word) => `${word}\n`).join("");
const HEADER_BYTES = 100;

/** The contents of objects whose sizes are known, by hash. */
export async function readBlobs(ask: Ask, sizes: ReadonlyMap<string, number>): Promise<Map<string, Buffer>> {
  const expected = [...sizes.values()].reduce((sum, size) => sum + size + HEADER_BYTES, 0);
  const output = await ask(["cat-file", "--batch"], lines([...sizes.keys()]), expected + HEADER_BYTES);
  const contents = new Map<string, Buffer>();
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf("\n", at);
    const [blob = "", , size = ""] = output.subarray(at, end).toString("latin1").split(" ");
    const from = end + 1;
    if (end < 0 || !/^\d+$/.test(size)) throw new GitFault("git_failed");
    contents.set(blob, output.subarray(from, from + Number(size)));
    at = from + Number(size) + 1;
  }
  return contents;
}

const AUTHOR_MAX = 200;
const SUBJECT_MAX = 500;
const PATHS_MAX = 500;
const MS = 1_000;

/** The newest commits that one commit has and another has not, with the paths they touched. */
export async function listNewCommits(
  ask: Ask,
  to: string,
  from: string | null,
  limit: number,
): Promise<Commit[]> {
  const range = from === null ? [to] : [to, `^${from}`];
  const listed = await ask(["rev-list", `--max-count=${limit}`, ...range]);
  const hashes = listed.toString("latin1").split("\n").filter(Boolean);
  if (hashes.length === 0) return [];
  const paths = await listPaths(ask, hashes);
  const described = await ask(
    [
      "log",
      "--no-walk=unsorted",
      "--stdin",
      "-z",
      "--no-show-signature",
      "--format=tformat:%H%n%an%n%ct%n%s",
    ],
    lines(hashes),
  );
  return described
    .toString("utf8")
    .split("\0")
    .filter(Boolean)
    .map((text) => {
      const [commit = "", author = "", seconds, ...subject] = text.split("\n");
      const touched = paths.get(commit) ?? [];
      return {
        commit,
        author: author.toWellFormed().slice(0, AUTHOR_MAX),
        at: new Date(Number(seconds) * MS || 0),
        subject: subject.join(" ").toWellFormed().slice(0, SUBJECT_MAX),
        paths: touched.slice(0, PATHS_MAX),
        touched: touched.length,
      };
    });
}

/** Whether the history of one commit goes on in another. */
export async function isAncestor(ask: Ask, older: string, newer: string): Promise<boolean> {
  return (await ask(["rev-list", "--max-count=1", older, `^${newer}`])).length === 0;
}

/** Each change begins with a colon and is followed by its path; what begins otherwise is the next commit. */
async function listPaths(ask: Ask, commits: readonly string[]): Promise<Map<string, string[]>> {
  const output = await ask(
    ["diff-tree", "--stdin", "-r", "-z", "--root", "--raw", "--no-renames"],
    lines(commits),
  );
  const paths = new Map<string, string[]>();
  const parts = splitParts(output);
  let current: string[] = [];
  for (const part of parts) {
    if (part[0] !== 0x3a) {
      current = [];
      paths.set(part.toString("latin1").trim(), current);
      continue;
    }
    const path = nameIn(parts.next().value ?? Buffer.alloc(0));
    if (path !== null) current.push(path);
  }
  return paths;
}
