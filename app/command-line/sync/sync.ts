import { watch as watchFiles } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { basename, resolve, sep } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Call, toNumber } from "../command.ts";
import { listContents, parseLibraryPath } from "../library.ts";
import { statOrNull } from "../local-files.ts";
import { isJunk } from "../names.ts";
import { cleanName, EXIT, Failure, failure, paint } from "../output.ts";
import type { Session } from "../requests.ts";
import { describeResult, printSummary, type Result } from "../results.ts";
import { openSession } from "../session.ts";
import { readTransfersByFile } from "../transfers.ts";
import { createUploads } from "../uploads.ts";
import { carryOutActions } from "./actions.ts";
import { moveFilesHere, moveFilesThere, moveFoldersThere, recordPaths, renameFolders } from "./renames.ts";
import { readSides } from "./sides.ts";
import { acquireLock, readState, type Sync, writeState } from "./state.ts";

const SYNC_PASSES = 4;
const WATCH_SECONDS = 15;

export async function sync({ output, words, options }: Call) {
  const session = await openSession(output);
  const root = resolve(words[0] ?? "");
  const dryRun = Boolean(options["dry-run"]);
  const seconds = toNumber(options.interval, "--interval") ?? WATCH_SECONDS;
  await requireEitherSide(
    session,
    root,
    parseLibraryPath(String(options.to ?? basename(root))),
    words[0] ?? "",
  );
  if (!dryRun) await mkdir(root, { recursive: true });
  if (!(await stat(root).catch(() => null))?.isDirectory())
    throw failure("no_such_folder", `There is no folder “${cleanName(words[0] ?? "")}” here.`);
  const unlock = dryRun ? async () => {} : await acquireLock(root);
  try {
    const { folder, base } = await readState(session, root, options.to);
    const transfers = await readTransfersByFile(session.address);
    const uploads = createUploads(session);
    const [force, takesIgnored] = [Boolean(options.force), Boolean(options.all)];
    const task = { session, uploads, root, folder, dryRun, base, transfers, force, takesIgnored };
    const isShown = ({ status }: Result) => Boolean(options.verbose) || status !== "skipped";
    if (options.watch) return await keepSyncing(task, seconds * 1000, isShown);
    const done: Map<string, Result> = new Map();
    const results = await syncOnce(task, done).finally(() => {
      for (const result of done.values()) if (isShown(result)) output.printLine(describeResult(result));
    });
    return printSummary(output, results, { folder, dry_run: dryRun });
  } finally {
    await unlock();
  }
}

/** A name that is neither here nor in the library is a mistake. */
async function requireEitherSide(session: Session, root: string, folder: string, typed: string) {
  if ((await statOrNull(root)) || folder === "" || (await listContents(session, folder))) return;
  throw failure(
    "no_such_folder",
    `There is no folder “${cleanName(typed)}”, neither here nor in the library.`,
  );
}

/** Syncs until nothing changes in between any more; `results` has what was done, also where it is cut off. */
async function syncOnce(task: Sync, results: Map<string, Result> = new Map()): Promise<Result[]> {
  for (let number = 1; number <= SYNC_PASSES; number += 1) {
    const pass = await readSides(task);
    pass.isLast = number === SYNC_PASSES;
    try {
      await renameFolders(task, pass);
      await moveFoldersThere(task, pass);
      await moveFilesThere(task, pass);
      await moveFilesHere(task, pass);
      await carryOutActions(task, pass);
      recordPaths(task, pass);
    } finally {
      await writeState(task);
      for (const result of pass.results) results.set(`${result.status} ${result.path}`, result);
    }
    if (!pass.again) break;
  }
  return [...results.values()];
}

/** Syncs after each local change, and at intervals for changes in the library, until it is interrupted. */
async function keepSyncing(
  task: Sync,
  intervalMs: number,
  isShown: (result: Result) => boolean,
): Promise<number> {
  const { output } = task.session;
  const reported: Set<string> = new Set();
  const changes = watchFolder(task.root);
  output.printRemark(`Watching ${task.root}. Press Ctrl-C to stop.`);
  for (;;) {
    try {
      const results = (await syncOnce(task)).filter((result) => {
        const isLasting = result.status === "skipped" || result.status === "refused";
        const isNews = !isLasting || !reported.has(result.path);
        if (isLasting) reported.add(result.path);
        return isNews;
      });
      for (const result of results) if (isShown(result)) output.printLine(describeResult(result));
      if (results.length > 0) output.printJson({ ok: true, folder: task.folder, files: results });
    } catch (error) {
      if (!(error instanceof Failure) || !isTemporary(error)) throw error;
      output.printRemark(paint("yellow", error.message, process.stderr));
    }
    await changes.next(intervalMs);
  }
}

function isTemporary({ exitCode, context }: Failure) {
  const status = "status" in context ? Number(context.status) : 0;
  return exitCode === EXIT.network || status === 429 || status >= 500;
}

const SETTLE_MS = 200;

/** Says when something below a folder changed; where the system cannot tell, the time alone does. */
function watchFolder(root: string) {
  let hasChanged = false;
  let wake = () => {};
  try {
    const watcher = watchFiles(root, { recursive: true }, (_, name) => {
      if (name !== null && isJunk(String(name).split(sep).join("/"))) return;
      hasChanged = true;
      wake();
    });
    watcher.on("error", () => {});
  } catch {}
  return {
    async next(ms: number) {
      if (!hasChanged)
        await Promise.race([
          pause(ms),
          new Promise((done) => {
            wake = () => done(undefined);
          }),
        ]);
      // Writers write several times; they are waited for.
      if (hasChanged) await pause(SETTLE_MS);
      hasChanged = false;
    },
  };
}
