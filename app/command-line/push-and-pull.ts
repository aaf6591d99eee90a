import { readFile, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { BODY_MAX_BYTES } from "#domain/files/file.ts";
import { isSecretFile } from "#domain/files/secret-file.ts";
import type { Call } from "./command.ts";
import { Ignored } from "./ignore-rules.ts";
import { readInput } from "./input.ts";
import {
  byPath,
  downloadById,
  downloadByPath,
  dropNames,
  joinPath,
  listContents,
  parseLibraryPath,
  type RemoteFile,
  toComparablePath,
} from "./library.ts";
import {
  findUnfitReason,
  keepMode,
  type LocalFile,
  listLocalFiles,
  prepareTarget,
  type Skipped,
  TOO_LARGE,
  writeAtomically,
} from "./local-files.ts";
import { explainUnsafePath, MAY_HOLD_SECRETS, requireForce } from "./names.ts";
import { cleanName, failure, usageFailure } from "./output.ts";
import type { Session } from "./requests.ts";
import {
  describeResult,
  printSummary,
  type Result,
  reportEach,
  toFailedResult,
  toSkippedResult,
} from "./results.ts";
import { openSession } from "./session.ts";
import { rememberTransfers, type Transfer, toTransfer } from "./transfers.ts";
import { createUploads, PARALLEL_UPLOADS, type Uploaded, type Uploads } from "./uploads.ts";

/** The path in the library: relative to the working directory, or the name alone for a path outside of it. */
function toLibraryPath(typed: string) {
  const segments = relative(process.cwd(), resolve(typed)).split(sep);
  return segments[0] === ".." || /^[a-z]:/i.test(segments[0] ?? "")
    ? basename(resolve(typed))
    : segments.join("/");
}

async function collectFiles(
  typed: string,
  takesIgnored: boolean,
): Promise<{ files: (LocalFile & { isNamed: boolean })[]; skipped: Skipped[] }> {
  const stats = await stat(typed).catch(() => null);
  if (!stats) throw failure("no_such_file", `There is no “${cleanName(typed)}” here.`);
  const target = toLibraryPath(typed);
  if (!stats.isDirectory() && !stats.isFile())
    return { files: [], skipped: [{ path: target, reason: "not a file", isRefused: true }] };
  if (!stats.isDirectory())
    return {
      files: [{ path: target, file: typed, size: stats.size, stamp: "", isNamed: true }],
      skipped: [],
    };
  const root = resolve(typed);
  const { files, skipped } = await listLocalFiles(root, takesIgnored ? null : await Ignored.open(root));
  const secret = files.filter(({ path }) => isSecretFile(path));
  const leftOut = [...skipped, ...secret.map(({ path }) => ({ path, reason: MAY_HOLD_SECRETS }))];
  return {
    files: files
      .filter(({ path }) => !isSecretFile(path))
      .map((file) => ({ ...file, path: joinPath(target, file.path), isNamed: false })),
    skipped: leftOut.map((file) => ({ ...file, path: joinPath(target, file.path) })),
  };
}

export async function push({ output, words, options }: Call) {
  if ((words.length === 1 && words[0] === "-") !== (options.name !== undefined))
    throw usageFailure("“push -” saves what is piped in, under the name that --name gives.");
  const session = await openSession(output);
  const prefix = parseLibraryPath(String(options.to ?? ""));
  if (options.name !== undefined) return pushInput(session, prefix, String(options.name));
  const gathered = await Promise.all(words.map((word) => collectFiles(word, Boolean(options.all))));
  // A file that is named, and is in a folder that is named as well, counts as named.
  const candidates = gathered
    .flatMap(({ files }) => files)
    .sort((a, b) => Number(a.isNamed) - Number(b.isNamed));
  const files = [...new Map(candidates.map((file) => [file.path, file])).values()].sort(byPath);
  const skipped = gathered
    .flatMap(({ skipped }) => skipped)
    .filter(({ path }) => !files.some((file) => file.path === path))
    .map(toSkippedResult);
  const isShown = ({ status }: Result) => Boolean(options.verbose) || status !== "skipped";
  for (const result of skipped) if (isShown(result)) output.printLine(describeResult(result));
  const transfers: Transfer[] = [];
  const upload = createUploads(session);
  const paths = choosePaths(files.map(({ path }) => joinPath(prefix, path)));
  const pushOne = async (file: LocalFile & { isNamed: boolean }) => {
    const to = joinPath(prefix, file.path);
    const other = paths.get(toComparablePath(to)) ?? to;
    const reason = explainUnsafePath(to) ?? (other === to ? null : explainTwin(to, other));
    if (reason !== null) return { path: to, status: "refused", reason };
    return pushFile(session, upload, file, to, transfers).catch((error) => toFailedResult(error, to));
  };
  const results = await reportEach(output, files, pushOne, { isShown, count: PARALLEL_UPLOADS }).finally(() =>
    rememberTransfers(transfers),
  );
  return printSummary(output, [...skipped, ...results]);
}

/** The path that is saved for each name of the library. A composed name wins, because the library composes all names. */
function choosePaths(paths: readonly string[]) {
  const chosen = new Map<string, string>();
  for (const path of paths) {
    const other = chosen.get(toComparablePath(path));
    const isComposed = path === path.normalize("NFC") && other !== other?.normalize("NFC");
    if (other === undefined || isComposed) chosen.set(toComparablePath(path), path);
  }
  return chosen;
}

const explainTwin = (path: string, other: string) =>
  path.normalize("NFC") === other.normalize("NFC")
    ? "another file has the same name, with its accents encoded otherwise"
    : `the library would take it for “${other}”`;

async function pushInput(session: Session, prefix: string, name: string) {
  const path = joinPath(prefix, parseLibraryPath(name));
  const bytes = await readInput(BODY_MAX_BYTES, `A file has at most ${BODY_MAX_BYTES / 1024 / 1024} MiB.`);
  const reason = findUnfitReason(bytes);
  if (reason) throw failure("unfit", `What was piped in is ${reason}.`);
  const result = toPushed(path, await createUploads(session).send(path, bytes));
  session.output.printLine(describeResult(result));
  return printSummary(session.output, [result]);
}

/** A file that does not fit in the library is skipped in a folder, and refused if it was named itself. */
async function pushFile(
  session: Session,
  upload: Uploads,
  { file, size, isNamed }: LocalFile & { isNamed: boolean },
  path: string,
  transfers: Transfer[],
): Promise<Result> {
  const unfit = { path, status: isNamed ? "refused" : "skipped" };
  if (size > BODY_MAX_BYTES) return { ...unfit, reason: TOO_LARGE };
  return upload.holding(size, async () => {
    const bytes = await readFile(file);
    const reason = findUnfitReason(bytes);
    if (reason) return { ...unfit, reason };
    const answer = await upload.send(path, bytes);
    transfers.push(toTransfer(session, file, { id: answer.file_id, version: answer.version }, bytes));
    return toPushed(path, answer);
  });
}

function toPushed(path: string, { unchanged, status, version }: Uploaded): Result {
  return { path, status: unchanged ? "unchanged" : status === 201 ? "created" : "updated", version };
}

export async function pull({ output, words, options }: Call) {
  const session = await openSession(output);
  const path = parseLibraryPath(words[0] ?? "");
  const force = Boolean(options.force);
  const text = await downloadByPath(session, path);
  if (text) {
    const { root, name } = await chooseTarget(path, words[1]);
    const result = await writePulledFile(root, name, text.bytes, force);
    if (result.status !== "refused")
      await rememberTransfers([toTransfer(session, join(root, name), text, text.bytes)]);
    output.printLine(describeResult({ ...result, path: join(root, name) }));
    return printSummary(output, [{ ...result, path, version: text.version }]);
  }
  const contents = await listContents(session, path, true);
  if (!contents) throw failure("not_found", `There is no “${cleanName(path)}” in the library.`);
  const root = words[1] ?? (basename(path) || ".");
  const danger = words[1] === undefined && path !== "" ? explainUnsafePath(basename(path)) : null;
  if (danger) throw failure("unsafe_path", `${cleanName(path)}: ${danger}`);
  const files: PulledFile[] = contents.files
    .map((file) => ({ ...file, inside: dropNames(file.path, path) }))
    .sort(byPath);
  const transfers: Transfer[] = [];
  const toPrinted = (result: Result, { inside }: PulledFile) =>
    explainUnsafePath(inside) ? result : { ...result, path: join(root, inside) };
  const pullOne = (file: PulledFile) => pullFile(session, file, root, force, transfers);
  const results = await reportEach(output, files, pullOne, { toPrinted }).finally(() =>
    rememberTransfers(transfers),
  );
  return printSummary(output, results);
}

type PulledFile = RemoteFile & { inside: string };

async function pullFile(
  session: Session,
  file: PulledFile,
  root: string,
  force: boolean,
  transfers: Transfer[],
) {
  try {
    // The name is judged before anything is asked or written.
    await prepareTarget(root, file.inside);
    const text = await downloadById(session, file.id);
    const result = await writePulledFile(root, file.inside, text.bytes, force);
    if (result.status !== "refused")
      transfers.push(toTransfer(session, join(root, file.inside), text, text.bytes));
    return { ...result, path: file.path, version: text.version };
  } catch (error) {
    return toFailedResult(error, file.path);
  }
}

/** One file goes to the named path, or into the named folder under its own name. */
async function chooseTarget(path: string, to: string | undefined) {
  const stats = to === undefined ? null : await stat(to).catch(() => null);
  if (to !== undefined && !stats?.isDirectory() && !to.endsWith("/"))
    return { root: dirname(to), name: basename(to) };
  return { root: to ?? ".", name: basename(path) };
}

export async function writePulledFile(
  root: string,
  path: string,
  bytes: Uint8Array,
  force: boolean,
): Promise<Result> {
  const { target, stats } = await prepareTarget(root, path);
  if (stats) {
    if (Buffer.compare(await readFile(target), bytes) === 0) return { path, status: "unchanged" };
    if (!force) return { path, status: "refused", reason: "a different file is here; --force replaces it" };
  }
  requireForce(path, force);
  await writeAtomically(target, bytes, { mode: keepMode(stats) });
  return { path, status: "downloaded" };
}
