import { z } from "zod";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { isStorablePath, listParentFolders } from "#domain/repos/repo.ts";
import { toFields } from "#domain/typed-keys.ts";

/**
 * Reads a branch at the host with its API of trees. A host truncates the list of a large tree; then the path is followed folder by folder,
 * so that "new" is only concluded from complete lists.
 */
export type HostTree = {
  /** False if the host did not list everything. */
  whole: boolean;
  folders: string[];
  target: TargetState;
};

/** `blocked`: a file is where the path needs a folder. `unknown`: a truncated list does not have the path. */
export type TargetState = "new" | "file" | "folder" | "blocked" | "unknown";

export type TreePlace = { owner: string; name: string; branch: string; path: string };
export type AskHost = (path: string) => Promise<unknown>;

const FOLDERS_MAX = 500;
/** One request per folder of the path. */
const STEPS_MAX = 12;

const answer = z.object({ tree: z.array(z.unknown()), truncated: z.boolean().default(false) });
type Entry = { path: string; type: string; sha: string };
type Listing = { entries: Map<string, Entry>; truncated: boolean };

export async function readHostTree(ask: AskHost, place: TreePlace): Promise<HostTree | Refusal> {
  const trees = `/repos/${encodeURIComponent(place.owner)}/${encodeURIComponent(place.name)}/git/trees/`;
  const list = async (tree: string, query = "") => parseListing(await ask(trees + tree + query));
  const all = await list(encodeURIComponent(place.branch), "?recursive=1");
  if (isRefusal(all)) return all;
  const target = all.truncated ? await followPathTo(list, place) : findTargetState(all, place.path);
  if (isRefusal(target)) return target;
  const folders = [...all.entries.values()].filter(({ type }) => type === "tree").map(({ path }) => path);
  const listed = folders.filter(isStorablePath).sort().slice(0, FOLDERS_MAX);
  return { whole: !all.truncated && listed.length === folders.length, folders: listed, target };
}

function parseListing(answerJson: unknown): Listing | Refusal {
  if (isRefusal(answerJson)) return answerJson;
  const parsed = answer.safeParse(answerJson);
  if (!parsed.success) return Refusal("codehost_failed");
  const entries = parsed.data.tree.filter(isEntry).map((entry) => [entry.path, entry] as const);
  return { entries: new Map(entries), truncated: parsed.data.truncated };
}

/** Checked without zod, because a large tree has a hundred thousand entries. */
function isEntry(value: unknown): value is Entry {
  const { path, type, sha } = toFields(value);
  return typeof path === "string" && typeof type === "string" && typeof sha === "string";
}

function findTargetState({ entries, truncated }: Listing, path: string): TargetState {
  const entry = entries.get(path);
  if (entry) return entry.type === "blob" ? "file" : "folder";
  const isBlocked = listParentFolders([path]).some(
    (folder) => (entries.get(folder)?.type ?? "tree") !== "tree",
  );
  if (isBlocked) return "blocked";
  return truncated ? "unknown" : "new";
}

type List = (tree: string, query?: string) => Promise<Listing | Refusal>;

async function followPathTo(list: List, { branch, path }: TreePlace): Promise<TargetState | Refusal> {
  const parts = path.split("/");
  if (parts.length > STEPS_MAX) return "unknown";
  let tree = encodeURIComponent(branch);
  for (const [i, part] of parts.entries()) {
    const level = await list(tree);
    if (isRefusal(level)) return level;
    const entry = level.entries.get(part);
    if (i === parts.length - 1 || !entry) return findTargetState(level, part);
    if (entry.type !== "tree") return "blocked";
    tree = encodeURIComponent(entry.sha);
  }
  return "unknown";
}
