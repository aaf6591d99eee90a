import { lstat, rename, rmdir } from "node:fs/promises";
import { basename, join } from "node:path";
import {
  dropNames,
  getFolder,
  listFolders,
  type RemoteFile,
  type RemoteFolder,
  toComparablePath,
  toFolderKey,
} from "../library.ts";
import { prepareTarget, statOrNull, toStamp } from "../local-files.ts";
import { explainUnsafePath } from "../names.ts";
import { isRefusal } from "../output.ts";
import { send, sendForJson } from "../requests.ts";
import type { Pass, Sync } from "./state.ts";

/** The folders of some files by the key of their path, each as its name is written; null where it is written in two ways. */
function mapFolderNames(paths: Iterable<string>): Map<string, string | null> {
  const spelled = new Map();
  for (const folder of new Set([...paths].flatMap(listFolders))) {
    const [key, name] = [toFolderKey(folder), basename(folder)];
    spelled.set(key, (spelled.get(key) ?? name) === name ? name : null);
  }
  return spelled;
}

const spellThere = ({ folder }: Sync, { contents }: Pass) =>
  mapFolderNames(contents.folders.map(({ path }) => `${dropNames(path, folder)}/`));

/**
 * A folder whose name got other capital letters on one side gets them on the other. Where both sides changed, or never agreed, each
 * keeps its own.
 */
export async function renameFolders(task: Sync, pass: Pass) {
  const bases = [...task.base.values()];
  const formerHere = mapFolderNames(bases.map(({ path }) => path));
  const formerThere = mapFolderNames(bases.flatMap(({ there }) => there ?? []));
  const here = mapFolderNames([...pass.local.values()].map(({ path }) => path));
  for (const [key, name] of spellThere(task, pass)) {
    const local = here.get(key);
    if (!name || !local || name === local || !formerHere.get(key) || !formerThere.get(key)) continue;
    const isChangedHere = local !== formerHere.get(key);
    const isChangedThere = name !== formerThere.get(key);
    const remoteFolder = isChangedHere ? mapFolders(task, pass).get(key) : undefined;
    if (remoteFolder && !isChangedThere) {
      const path = dropNames(remoteFolder.path, task.folder);
      await moveFolderThere(
        task,
        pass,
        remoteFolder,
        replaceFolderName(path, path.split("/").length, local),
        {
          name: local,
        },
      );
    }
    if (isChangedThere && !isChangedHere) await renameFolderHere(task, pass, key, name);
  }
}

const mapFolders = ({ folder }: Sync, { contents }: Pass) =>
  new Map(contents.folders.map((each) => [toFolderKey(dropNames(each.path, folder)), each]));

/** Gives a folder of the library another path, with all that is in it, if the library takes that. */
async function moveFolderThere(task: Sync, pass: Pass, folder: RemoteFolder, to: string, json: object) {
  try {
    const address = `/api/folders/${encodeURIComponent(folder.id)}`;
    if (!task.dryRun) await sendForJson(task.session, "PATCH", address, { json });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return;
  }
  const from = dropNames(folder.path, task.folder);
  const inside = `${toFolderKey(from)}/`;
  pass.results.push({ path: from, status: "renamed_there", to });
  const move = (path: string) => `${to}${path.slice(from.length)}`;
  const moveFiles = <T extends { path: string }>(files: Map<string, T>) => {
    for (const [key, file] of [...files].filter(([key]) => key.startsWith(inside))) {
      files.delete(key);
      files.set(toComparablePath(move(file.path)), { ...file, path: move(file.path) });
    }
  };
  moveFiles(task.base);
  moveFiles(pass.remote);
  for (const each of pass.contents.folders) {
    const path = dropNames(each.path, task.folder);
    if (`${toFolderKey(path)}/`.startsWith(inside))
      each.path = `${each.path.slice(0, each.path.length - path.length)}${move(path)}`;
  }
}

async function renameFolderHere({ root, dryRun }: Sync, pass: Pass, key: string, name: string) {
  const depth = key.split("/").length;
  const files = [...pass.local].filter(([file]) => file.startsWith(`${key}/`)).map(([, file]) => file);
  const from = files[0]?.path.split("/").slice(0, depth).join("/") ?? "";
  const to = replaceFolderName(from, depth, name);
  const [source, target] = [await statOrNull(join(root, from)), await statOrNull(join(root, to))];
  if (explainUnsafePath(`${to}/x`) || (target && target.ino !== source?.ino)) return;
  if (!dryRun) await rename(join(root, from), join(root, to));
  pass.results.push({ path: from, status: "renamed_here", to });
  if (dryRun) return;
  for (const file of files) {
    file.path = replaceFolderName(file.path, depth, name);
    file.file = join(root, file.path);
  }
  for (const [folder, path] of pass.folders)
    if (`${folder}/`.startsWith(`${key}/`)) pass.folders.set(folder, replaceFolderName(path, depth, name));
}

/** A folder that has another name or place here is moved as a whole in the library: it keeps its links. */
export async function moveFoldersThere(task: Sync, pass: Pass) {
  const here = mapFolderNames([...pass.local.values()].map(({ path }) => path));
  let remoteFolders = mapFolders(task, pass);
  for (const key of [...remoteFolders.keys()].sort((a, b) => a.length - b.length)) {
    const remoteFolder = remoteFolders.get(key);
    const to = remoteFolder && !here.has(key) && findMovedFolder(task, pass, key);
    if (!to || (await statOrNull(join(task.root, ...dropNames(remoteFolder.path, task.folder).split("/")))))
      continue;
    const parent = toFolderKey(getFolder(to));
    const parent_id = parent === "" ? pass.contents.folder_id : remoteFolders.get(parent)?.id;
    if (parent_id === undefined) continue;
    await moveFolderThere(task, pass, remoteFolder, to, { name: basename(to), parent_id });
    remoteFolders = mapFolders(task, pass);
  }
}

/** The local folder that has all files of a folder of the library, if these are unchanged there and new here. */
function findMovedFolder({ base }: Sync, { local, remote, blocked }: Pass, key: string) {
  const files = [...remote].filter(([file]) => file.startsWith(`${key}/`));
  const tails = files.map(([file]) => file.slice(key.length));
  const isUnchanged = files.every(([file, { id, version }]) => {
    const lastSynced = base.get(file);
    return lastSynced?.id === id && lastSynced.version === version && !blocked.has(file);
  });
  const first = base.get(files[0]?.[0] ?? "");
  if (!isUnchanged || !first) return null;
  for (const [file, { path, hash }] of local) {
    const to = file.slice(0, -(tails[0] ?? "").length);
    if (hash !== first.hash || !file.endsWith(tails[0] ?? "") || base.has(file) || to === "") continue;
    const isThere = tails.every((tail) => {
      const [moved, former] = [local.get(`${to}${tail}`), base.get(`${key}${tail}`)];
      return moved?.hash === former?.hash && !base.has(`${to}${tail}`) && !remote.has(`${to}${tail}`);
    });
    const hasText = tails.some((tail) => (local.get(`${to}${tail}`)?.size ?? 0) > 0);
    if (isThere && hasText) return path.slice(0, to.length);
  }
  return null;
}

/** A path whose folder at this depth has this name. */
function replaceFolderName(path: string, depth: number, name: string) {
  const names = path.split("/");
  names[depth - 1] = name;
  return names.join("/");
}

/** How each file's path is written on both sides, for the next sync. */
export function recordPaths(task: Sync, pass: Pass) {
  const remotePaths = spellThere(task, pass);
  for (const [key, known] of task.base) {
    known.path = pass.local.get(key)?.path ?? known.path;
    const names = listFolders(known.path).map(
      (folder) => remotePaths.get(toFolderKey(folder)) ?? basename(folder),
    );
    known.there = [...names, basename(known.path)].join("/");
  }
}

/** Folders of the library whose last file was deleted because their folder here is gone, or is a file by now. */
export async function removeEmptyFolders(task: Sync, pass: Pass) {
  const { session, root, dryRun } = task;
  if (dryRun) return;
  const deleted = pass.results.filter(
    ({ status }) => status === "deleted_there" || status === "renamed_there",
  );
  const remoteFolders = mapFolders(task, pass);
  const replaced = [...pass.local.values()].filter(({ path }) => remoteFolders.has(toFolderKey(path)));
  const gone = new Set([
    ...deleted.flatMap(({ path }) => listFolders(path)),
    ...replaced.map(({ path }) => path),
  ]);
  for (const parent of [...gone].sort((a, b) => b.length - a.length)) {
    const remoteParent = remoteFolders.get(toFolderKey(parent));
    if (!remoteParent || (await statOrNull(join(root, ...parent.split("/"))))?.isDirectory()) continue;
    const options = { query: { if_empty: "1" }, allow: [404, 409] };
    await send(session, "DELETE", `/api/folders/${encodeURIComponent(remoteParent.id)}`, options);
  }
}

/** Files that were moved or renamed here are so in the library: their notes, versions and links stay. */
export async function moveFilesThere(task: Sync, pass: Pass) {
  const { base, dryRun } = task;
  for (const [key, known] of [...base]) {
    const remoteFile = pass.remote.get(key);
    const isMissing = !pass.local.has(key) && !pass.blocked.has(key);
    if (!isMissing || remoteFile?.id !== known.id || remoteFile.version !== known.version) continue;
    const moved = [...pass.local].find(
      ([to, file]) => file.hash === known.hash && file.size > 0 && !base.has(to) && !pass.remote.has(to),
    );
    if (!moved) continue;
    const [to, file] = moved;
    try {
      if (!dryRun) await moveThere(task, pass, remoteFile, file.path);
    } catch (error) {
      // If the library refuses the move, the file is uploaded again and the old one deleted.
      if (!isRefusal(error)) throw error;
      continue;
    }
    pass.results.push({ path: remoteFile.path, status: "renamed_there", to: file.path });
    pass.remote.delete(key);
    pass.remote.set(to, { ...remoteFile, path: file.path });
    base.delete(key);
    base.set(to, { ...known, path: file.path, stamp: "" });
  }
}

async function moveThere({ session, folder }: Sync, { contents }: Pass, file: RemoteFile, to: string) {
  const names = [...(folder === "" ? [] : folder.split("/")), ...to.split("/")];
  const file_name = names.pop();
  let folder_id: string | null = null;
  for (const [depth, name] of names.entries()) {
    const path = names.slice(0, depth + 1).join("/");
    const isOwn = toFolderKey(path) === toFolderKey(folder);
    const existing = contents.folders.find((folder) => toFolderKey(folder.path) === toFolderKey(path));
    if (isOwn) folder_id = contents.folder_id;
    else if (existing) folder_id = existing.id;
    else if (depth + 1 > folder.split("/").length || folder === "") {
      const json = { name, parent_id: folder_id };
      const created = await sendForJson(session, "POST", "/api/folders", { json });
      contents.folders.push(created.folder);
      folder_id = created.folder.id;
    }
  }
  const json = { file_name, folder_id };
  await sendForJson(session, "PATCH", `/api/file/${encodeURIComponent(file.id)}`, { json });
}

/** Files that were moved or renamed in the library are so here, with what was changed in them here. */
export async function moveFilesHere({ root, base, dryRun }: Sync, pass: Pass) {
  const places = new Map([...pass.remote].map(([key, { id }]) => [id, key]));
  for (const [key, known] of [...base]) {
    const to = places.get(known.id);
    const file = pass.local.get(key);
    if (!file || to === undefined || to === key || pass.remote.has(key)) continue;
    if (base.has(to) || pass.local.has(to) || pass.blocked.has(to)) continue;
    const path = toLocalPath(pass, pass.remote.get(to)?.path ?? "");
    if (!dryRun) {
      const { target, stats } = await prepareTarget(root, path);
      if (stats) continue;
      await rename(file.file, target);
      await removeEmptyParents(root, file.path);
    }
    pass.results.push({ path: file.path, status: "renamed_here", to: path });
    pass.local.delete(key);
    const stamp = dryRun ? file.stamp : toStamp(await lstat(join(root, path)));
    pass.local.set(to, { ...file, path, file: join(root, path), stamp });
    base.delete(key);
    base.set(to, { ...known, path, stamp: "" });
  }
}

/** The local path of a file of the library. Existing local folders keep their spelling. */
export function toLocalPath({ folders }: Pass, path: string) {
  const names = path.split("/");
  const name = names.pop() ?? "";
  for (let depth = names.length; depth > 0; depth -= 1) {
    const existing = folders.get(toFolderKey(names.slice(0, depth).join("/")));
    if (existing) return [existing, ...names.slice(depth), name].join("/");
  }
  return path;
}

export async function removeEmptyParents(root: string, path: string) {
  for (let names = path.split("/").slice(0, -1); names.length > 0; names = names.slice(0, -1)) {
    try {
      await rmdir(join(root, ...names));
    } catch {
      return;
    }
  }
}
