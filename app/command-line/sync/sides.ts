import { readFile } from "node:fs/promises";
import { BODY_MAX_BYTES } from "#domain/files/file.ts";
import { isSecretFile } from "#domain/files/secret-file.ts";
import { Ignored } from "../ignore-rules.ts";
import { dropNames, getFolder, listContents, toComparablePath, toFolderKey } from "../library.ts";
import {
  findUnfitReason,
  hashBytes,
  type LocalFile,
  listLocalFiles,
  statOrNull,
  TOO_LARGE,
} from "../local-files.ts";
import { explainUnsafePath, isJunk, MAY_HOLD_SECRETS, STATE_NAME } from "../names.ts";
import { cleanName, failure } from "../output.ts";
import { toSkippedResult } from "../results.ts";
import type { Base, Pass, Sync } from "./state.ts";

/** A file that was written to this lately may be written to again without its dates showing it. */
const FRESH_MS = 2_000;

export async function readSides(task: Sync): Promise<Pass> {
  const { session, root, folder, base } = task;
  const listing = await listContents(session, folder, true);
  if (!listing && base.size > 0)
    throw failure(
      "folder_not_found",
      `The folder “${cleanName(folder)}” is no longer in the library. Nothing was deleted here. Delete ${STATE_NAME} to upload it again, or sync with another folder then (--to).`,
    );
  const contents = listing ?? { folder_id: null, folders: [], files: [] };
  const pass: Pass = {
    ...{ local: new Map(), remote: new Map(), blocked: new Set(), folders: new Map() },
    ...{ contents, results: [], again: false, isLast: false },
  };
  for (const file of contents.files) {
    const path = dropNames(file.path, folder);
    const danger = explainUnsafePath(path);
    if (danger) leaveAlone(pass, path, danger);
    else if (!isJunk(path)) pass.remote.set(toComparablePath(path), { ...file, path });
  }
  if (await statOrNull(root)) await readLocal(task, pass);
  adoptTransfers(task, pass);
  return pass;
}

/** A file that cannot be on both sides stays as it is on either, and never counts as deleted. */
function leaveAlone(pass: Pass, path: string, reason: string) {
  pass.results.push({ path, status: "refused", reason });
  pass.blocked.add(toComparablePath(path));
}

/** A file that is on both sides and was not synced yet is compared with what push or pull had. */
function adoptTransfers({ base, transfers }: Sync, pass: Pass) {
  for (const [key, { path, file }] of pass.local) {
    const transfer = transfers.get(file);
    if (!transfer || base.has(key) || pass.remote.get(key)?.id !== transfer.id) continue;
    const { id, version, hash } = transfer;
    base.set(key, { path, id, version, hash, stamp: "" });
  }
}

async function readLocal({ root, base, session, takesIgnored }: Sync, pass: Pass) {
  const ignored = takesIgnored ? null : await Ignored.open(root);
  const { files, skipped } = await listLocalFiles(root, ignored);
  // Ignored files stay as they are on both sides.
  for (const [key, { path }] of [...base, ...pass.remote])
    if (ignored?.coversPath(path)) pass.blocked.add(key);
  for (const file of skipped)
    if (!isJunk(file.path) && !isJunk(`${file.path}/x`)) {
      pass.results.push(toSkippedResult(file));
      pass.blocked.add(toComparablePath(file.path));
    }
  // The synced one of several local files for one name of the library comes first, then the one whose name is composed.
  const rank = ({ path }: LocalFile) => {
    if ([base, pass.remote].some((side) => side.get(toComparablePath(path))?.path === path)) return 0;
    return path === path.normalize("NFC") ? 1 : 2;
  };
  for (const [number, file] of files.toSorted((a, b) => rank(a) - rank(b)).entries()) {
    session.output.showProgress(`Reading ${number + 1}/${files.length} ${file.path}`);
    const key = toComparablePath(file.path);
    const danger = explainUnsafePath(file.path);
    if (danger) {
      leaveAlone(pass, file.path, danger);
      continue;
    }
    // A file that is in the library already was put there on purpose.
    const isHeldBack = isSecretFile(file.path) && !base.has(key) && !pass.remote.has(key);
    if (pass.local.has(key)) {
      const reason = `the library has one file for this name and for ${cleanName(pass.local.get(key)?.path ?? "")}`;
      pass.results.push({ path: file.path, status: "refused", reason });
      continue;
    }
    const read = isHeldBack ? { unfit: MAY_HOLD_SECRETS } : await readHash(file, base.get(key));
    if (read.hash === undefined) {
      pass.results.push({ path: file.path, status: "skipped", reason: read.unfit });
      pass.blocked.add(key);
    } else {
      pass.local.set(key, { ...file, hash: read.hash });
      pass.folders.set(toFolderKey(getFolder(file.path)), getFolder(file.path));
    }
  }
}

async function readHash(file: LocalFile, base: Base | undefined): Promise<{ hash?: string; unfit?: string }> {
  if (base && base.stamp === file.stamp) return { hash: base.hash };
  if (file.size > BODY_MAX_BYTES) return { unfit: TOO_LARGE };
  const isFresh = Date.now() - ((await statOrNull(file.file))?.ctimeMs ?? 0) < FRESH_MS;
  const bytes = await readFile(file.file);
  const unfit = findUnfitReason(bytes);
  if (unfit) return { unfit };
  const hash = hashBytes(bytes);
  if (base?.hash === hash && !isFresh) base.stamp = file.stamp;
  return { hash };
}
