import { readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Download, downloadById, encodePath, joinPath, type RemoteFile } from "../library.ts";
import {
  findUnfitReason,
  hashBytes,
  keepMode,
  prepareTarget,
  statOrNull,
  toStamp,
  writeAtomically,
} from "../local-files.ts";
import { requireForce } from "../names.ts";
import { Failure, failure, writeMoment } from "../output.ts";
import { send } from "../requests.ts";
import { forEachInParallel, toFailedResult } from "../results.ts";
import { PARALLEL_UPLOADS } from "../uploads.ts";
import { removeEmptyFolders, removeEmptyParents, toLocalPath } from "./renames.ts";
import { type Base, type HashedFile, type Pass, type Sync, writeState } from "./state.ts";

/** Actions on a file; most are named after their result. */
type Action = "uploaded" | "downloaded" | "deleted_here" | "deleted_there" | "compare" | "forget";

function decideAction(base?: Base, local?: HashedFile, remote?: RemoteFile): Action | null {
  const changedHere = local?.hash !== base?.hash;
  const changedThere = remote?.id !== base?.id || remote?.version !== base?.version;
  if (!local && !remote) return base ? "forget" : null;
  if (!remote) return base && !changedHere ? "deleted_here" : "uploaded";
  if (!local) return base && !changedThere ? "deleted_there" : "downloaded";
  if (changedHere && changedThere) return "compare";
  return changedHere ? "uploaded" : changedThere ? "downloaded" : null;
}

export async function carryOutActions(task: Sync, pass: Pass) {
  const keys = [...new Set([...task.base.keys(), ...pass.local.keys(), ...pass.remote.keys()])].sort();
  const work = keys.flatMap((key) => {
    const action = decideAction(task.base.get(key), pass.local.get(key), pass.remote.get(key));
    return action && !pass.blocked.has(key) ? [{ key, action }] : [];
  });
  let done = 0;
  const act = async ({ key, action }: (typeof work)[number]) => {
    const path = pass.local.get(key)?.path ?? pass.remote.get(key)?.path ?? task.base.get(key)?.path ?? key;
    const isOnlySaid = task.dryRun && action !== "compare";
    try {
      const outcome = isOnlySaid ? {} : await ACTIONS[action](task, pass, key);
      if (outcome && action !== "forget") pass.results.push({ path, status: action, ...outcome });
    } catch (error) {
      if (isOvertaken(error) && !pass.isLast) pass.again = true;
      else pass.results.push(toFailedResult(error, path));
    }
    done += 1;
    task.session.output.showProgress(`${done}/${work.length} ${path}`);
    if (done % STATE_EVERY === 0) await writeState(task);
  };
  const [uploads, others] = [true, false].map((is) =>
    work.filter(({ action }) => (action === "uploaded") === is),
  );
  await forEachInParallel(others ?? [], act);
  await removeEmptyFolders(task, pass);
  await forEachInParallel(uploads ?? [], act, PARALLEL_UPLOADS);
}

/** A sync that is cut off compares so many files again at most. */
const STATE_EVERY = 200;

/** The file was changed between the look at it and the write. */
const isOvertaken = (error: unknown) =>
  error instanceof Failure && ["version_changed", "changed_meanwhile", "file_not_found"].includes(error.code);

const changedMeanwhile = () => failure("changed_meanwhile", "it keeps changing; sync again");

function recordSynced(
  { base }: Sync,
  key: string,
  path: string,
  bytes: Uint8Array,
  { id, version }: Pick<Download, "id" | "version">,
) {
  base.set(key, { path, id, version, hash: hashBytes(bytes), stamp: "" });
}

/** A result that differs from the name of the action; null if there is nothing to report. */
type Outcome = { status?: string; to?: string; reason?: string } | null;

const ACTIONS: Record<Action, (task: Sync, pass: Pass, key: string) => Promise<Outcome>> = {
  async forget({ base }, _, key) {
    base.delete(key);
    return null;
  },

  async uploaded(task, pass, key) {
    const file = pass.local.get(key) as HashedFile;
    const remote = pass.remote.get(key);
    return task.uploads.holding(file.size, async () => {
      const bytes = await readFile(file.file).catch(() => {
        throw changedMeanwhile();
      });
      const reason = findUnfitReason(bytes);
      if (reason) return { status: "skipped", reason };
      const path = joinPath(task.folder, remote?.path ?? file.path);
      const { file_id: id, version } = await task.uploads.send(path, bytes, remote?.etag ?? null);
      recordSynced(task, key, file.path, bytes, { id, version });
      return {};
    });
  },

  async downloaded(task, pass, key) {
    const { id } = pass.remote.get(key) as RemoteFile;
    await replaceHere(task, pass, key, await downloadById(task.session, id));
    return {};
  },

  async deleted_here(task, pass, key) {
    const file = pass.local.get(key) as HashedFile;
    if (hashBytes(await readFile(file.file)) !== file.hash) throw changedMeanwhile();
    await rm(file.file);
    await removeEmptyParents(task.root, file.path);
    task.base.delete(key);
    return {};
  },

  async deleted_there({ session, folder, base }, pass, key) {
    const { path, etag } = pass.remote.get(key) as RemoteFile;
    const headers = { "If-Match": etag };
    await send(session, "DELETE", `/api/files/${encodePath(joinPath(folder, path))}`, { headers });
    base.delete(key);
    return {};
  },

  async compare(task, pass, key) {
    const file = pass.local.get(key) as HashedFile;
    const text = await downloadById(task.session, (pass.remote.get(key) as RemoteFile).id);
    const here = await readFile(file.file);
    if (here.equals(text.bytes)) {
      recordSynced(task, key, file.path, here, text);
      return null;
    }
    const outcome = { status: "conflict", to: await nameConflict(task.root, file.path, new Date()) };
    if (task.dryRun) return outcome;
    await requireUntouched(file);
    await rename(file.file, join(task.root, outcome.to));
    pass.local.delete(key);
    // The copy is a file like any other, so the next pass uploads it.
    pass.again = true;
    await replaceHere(task, pass, key, text);
    return outcome;
  },
};

async function requireUntouched(file: HashedFile) {
  const stats = await statOrNull(file.file);
  if (!stats || toStamp(stats) !== file.stamp) throw changedMeanwhile();
}

/** Writes the library's text in place of the file that was read here, and of no other. */
async function replaceHere(task: Sync, pass: Pass, key: string, text: Download) {
  const file = pass.local.get(key);
  const path = file?.path ?? toLocalPath(pass, pass.remote.get(key)?.path ?? "");
  requireForce(path, task.force);
  const { target, stats } = await prepareTarget(task.root, path);
  if (stats && !file) throw failure("in_the_way", "a file with this name is here already");
  const isReady = async () => {
    const now = await statOrNull(target);
    return file ? now !== null && toStamp(now) === file.stamp : now === null;
  };
  if (!(await writeAtomically(target, text.bytes, { mode: keepMode(stats), isReady })))
    throw changedMeanwhile();
  recordSynced(task, key, path, text.bytes, text);
}

/** `notes.md` → `notes (conflict 2026-11-16 17-46).md`, with a number where that is taken. */
async function nameConflict(root: string, path: string, now: Date) {
  const nameStart = path.lastIndexOf("/") + 1;
  const name = path.slice(nameStart);
  const dot = name.lastIndexOf(".");
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  const moment = writeMoment(now, "-");
  for (let number = 1; ; number += 1) {
    const more = number === 1 ? "" : ` ${number}`;
    const beside = `${path.slice(0, nameStart)}${[...stem].slice(0, 100).join("")} (conflict ${moment}${more})${ending}`;
    if (!(await statOrNull(join(root, beside)))) return beside;
  }
}
