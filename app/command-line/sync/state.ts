import { open, readFile, rm, utimes } from "node:fs/promises";
import { basename, join } from "node:path";
import { type Contents, parseLibraryPath, type RemoteFile, toComparablePath } from "../library.ts";
import { type LocalFile, statOrNull, temporaryFiles, writeAtomically } from "../local-files.ts";
import { LOCK_NAME, STATE_NAME } from "../names.ts";
import { cleanName, failure, hasCode } from "../output.ts";
import type { Session } from "../requests.ts";
import type { Result } from "../results.ts";
import type { Transfer } from "../transfers.ts";
import type { Uploads } from "../uploads.ts";

/**
 * Both sides are compared with the state after the last sync: for each file the version in the library and the hash of the local
 * bytes. An unchanged side takes over the change of the other. If both changed to different texts, the local one is kept beside the
 * other. Each side is written only if it is still as it was read (If-Match in the library), so a change in between is never
 * overwritten; the file is compared again. For a file that was never synced, its last push or pull counts. An interrupted sync finds
 * equal texts on both sides and counts them as synced.
 */
export type Base = { path: string; there?: string; id: string; version: number; hash: string; stamp: string };
export type HashedFile = LocalFile & { hash: string };

export type Sync = {
  session: Session;
  uploads: Uploads;
  root: string;
  folder: string;
  dryRun: boolean;
  force: boolean;
  takesIgnored: boolean;
  base: Map<string, Base>;
  transfers: Map<string, Transfer>;
};

export type Pass = {
  local: Map<string, HashedFile>;
  remote: Map<string, RemoteFile>;
  blocked: Set<string>;
  contents: Contents;
  folders: Map<string, string>;
  results: Result[];
  again: boolean;
  isLast: boolean;
};

/** One sync of a folder at a time; the lock of a process that is gone does not count. */
export async function acquireLock(root: string) {
  const file = join(root, LOCK_NAME);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      const handle = await open(file, "wx");
      await handle.writeFile(String(process.pid));
      await handle.close();
      temporaryFiles.add(file);
      const heartbeat = setInterval(() => utimes(file, new Date(), new Date()).catch(() => {}), HEARTBEAT_MS);
      heartbeat.unref();
      return async () => {
        clearInterval(heartbeat);
        await rm(file, { force: true });
        temporaryFiles.delete(file);
      };
    } catch (error) {
      if (!hasCode(error, "EEXIST")) throw error;
      if (await isLockHeld(file)) break;
      await rm(file, { force: true });
    }
  }
  throw failure("sync_running", "Another sync of this folder is running.");
}

const HEARTBEAT_MS = 5_000;
const SILENCE_MS = 30_000;

/** True if the process that took a lock still runs. Its number may belong to another process by now, so an old lock is free too. */
async function isLockHeld(file: string) {
  const pid = Number(await readFile(file, "utf8").catch(() => "0"));
  const mtimeMs = (await statOrNull(file))?.mtimeMs ?? 0;
  return isRunning(pid) && Math.abs(Date.now() - mtimeMs) < SILENCE_MS;
}

function isRunning(pid: number) {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}

export async function readState(session: Session, root: string, to: string | boolean | undefined) {
  const file = join(root, STATE_NAME);
  const target = to === undefined ? undefined : parseLibraryPath(String(to));
  const text = await readFile(file, "utf8").catch((error) => {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  });
  if (text === null) return { folder: target ?? basename(root), base: new Map() };
  const state = parseState(text, file);
  if (state.address !== session.address || (target !== undefined && target !== state.folder))
    throw failure(
      "other_folder",
      `This folder is synced with “${cleanName(state.folder)}” of ${cleanName(state.address)}. Delete ${STATE_NAME} to start from the beginning.`,
    );
  if (target === undefined) await refuseCopy(state, root);
  return {
    folder: state.folder,
    base: new Map(state.files.map((entry) => [toComparablePath(entry.path), entry])),
  };
}

/** A folder that was copied with its state would be synced with the folder of the original. A folder that was moved may be. */
async function refuseCopy({ folder, root: original = "" }: State, root: string) {
  const [first, second] = [
    await statOrNull(join(original, STATE_NAME)),
    await statOrNull(join(root, STATE_NAME)),
  ];
  if (original === "" || original === root || !first || first.ino === second?.ino) return;
  throw failure(
    "copied_folder",
    `This folder is a copy of ${cleanName(original)}, which is synced with “${cleanName(folder)}”. Delete ${STATE_NAME} to sync it by itself, or name the folder of the library (--to).`,
  );
}

type State = { address: string; folder: string; root?: string; files: Base[] };

function parseState(text: string, file: string): State {
  try {
    const state = JSON.parse(text);
    if (state.format === 1 && typeof state.folder === "string" && Array.isArray(state.files)) return state;
  } catch {}
  throw failure("state_unreadable", `${file} is damaged. Delete it to compare everything from the start.`);
}

export async function writeState({ session, root, folder, dryRun, base }: Sync) {
  if (dryRun) return;
  const files = [...base.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  const state = { format: 1, address: session.address, folder, root, files };
  await writeAtomically(join(root, STATE_NAME), `${JSON.stringify(state, null, 1)}\n`);
}
