import { z } from "zod";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { isKeepablePath, listFolders } from "#domain/repos/repo.ts";
import { fieldsIn } from "#domain/typed-keys.ts";

/**
 * What a branch holds at the host, by its API of trees. A host cuts the list of a large tree short: then the way to the one
 * path in question is walked folder by folder, so that "new" is only ever said from lists that are whole.
 */
export type HostTree = {
  /** False where the host did not list everything. */
  whole: boolean;
  /** Folders that are there, by name. */
  folders: string[];
  target: TargetState;
};

/** `blocked`: a file stands where the path needs a folder. `unknown`: a list that was cut short does not have it. */
export type TargetState = "new" | "file" | "folder" | "blocked" | "unknown";

export type TreePlace = { owner: string; name: string; branch: string; path: string };
/** What the host answers to a question, as JSON. */
export type AskHost = (path: string) => Promise<unknown>;

const FOLDERS_KEPT = 500;
/** One question for each folder on the way. */
const STEPS_MAX = 12;

const answer = z.object({ tree: z.array(z.unknown()), truncated: z.boolean().default(false) });
type Entry = { path: string; type: string; sha: string };
type Listing = { entries: Map<string, Entry>; truncated: boolean };

export async function readHostTree(ask: AskHost, place: TreePlace): Promise<HostTree | Refusal> {
  const trees = `/repos/${encodeURIComponent(place.owner)}/${encodeURIComponent(place.name)}/git/trees/`;
  const list = async (tree: string, query = "") => listingIn(await ask(trees + tree + query));
  const all = await list(encodeURIComponent(place.branch), "?recursive=1");
  if (isRefusal(all)) return all;
  const target = all.truncated ? await walk(list, place) : targetIn(all, place.path);
  if (isRefusal(target)) return target;
  const folders = [...all.entries.values()].filter(({ type }) => type === "tree").map(({ path }) => path);
  const kept = folders.filter(isKeepablePath).sort().slice(0, FOLDERS_KEPT);
  return { whole: !all.truncated && kept.length === folders.length, folders: kept, target };
}

function listingIn(said: unknown): Listing | Refusal {
  if (isRefusal(said)) return said;
  const read = answer.safeParse(said);
  if (!read.success) return Refusal("codehost_failed");
  const entries = read.data.tree.filter(isEntry).map((entry) => [entry.path, entry] as const);
  return { entries: new Map(entries), truncated: read.data.truncated };
}

/** By hand, because a large tree has a hundred thousand of them. */
function isEntry(given: unknown): given is Entry {
  const { path, type, sha } = fieldsIn(given);
  return typeof path === "string" && typeof type === "string" && typeof sha === "string";
}

function targetIn({ entries, truncated }: Listing, path: string): TargetState {
  const found = entries.get(path);
  if (found) return found.type === "blob" ? "file" : "folder";
  const isBlocked = listFolders([path]).some((above) => (entries.get(above)?.type ?? "tree") !== "tree");
  if (isBlocked) return "blocked";
  return truncated ? "unknown" : "new";
}

type List = (tree: string, query?: string) => Promise<Listing | Refusal>;

async function walk(list: List, { branch, path }: TreePlace): Promise<TargetState | Refusal> {
  const parts = path.split("/");
  if (parts.length > STEPS_MAX) return "unknown";
  let tree = encodeURIComponent(branch);
  for (const [i, part] of parts.entries()) {
    const level = await list(tree);
    if (isRefusal(level)) return level;
    const found = level.entries.get(part);
    if (i === parts.length - 1 || !found) return targetIn(level, part);
    if (found.type !== "tree") return "blocked";
    tree = encodeURIComponent(found.sha);
  }
  return "unknown";
}
