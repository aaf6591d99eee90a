import type { FolderFile } from "#app/enhance/folders/folder-files.ts";
import { decodeBody } from "#domain/files/file.ts";
import { parseFilePath } from "#domain/folders/file-path.ts";
import { isRefusal } from "#domain/refusal.ts";

const AT_ONCE = 2;
/** Of one request. */
const BATCH_FILES = 50;
const BATCH_BYTES = 4 * 1024 * 1024;
const SELECTION_MAX = 100;
const WAIT_MAX_SECONDS = 60;

type Refused = { path: string; code: string };
/** `path` is where it is within what was chosen. */
type Created = { id: string; path: string };
/** `version` is the one that was made. */
type Updated = Created & { version: number };
export type Sent = { created: Created[]; updated: Updated[]; unchanged: number; refused: Refused[] };
type TargetFolder = { folder: string; path: readonly string[] };
type Watching = {
  signal: AbortSignal;
  onProgress: (done: number, all: number) => void;
  onWait: () => void;
};

/** Saves each file at its path below a folder, some by each request. What is refused stops nothing else. */
export async function sendFiles(
  files: readonly FolderFile[],
  { path }: TargetFolder,
  { signal, onProgress, onWait }: Watching,
): Promise<Sent> {
  const sent: Sent = { created: [], updated: [], unchanged: 0, refused: [] };
  const waiting = [...files];
  let done = 0;
  const work = async () => {
    while (waiting.length > 0 && !signal.aborted) {
      const batch = takeBatch(waiting);
      await sendBatch(batch, path, sent, { signal, onWait });
      done += batch.length;
      onProgress(done, files.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return sent;
}

type Waiting = Pick<Watching, "signal" | "onWait">;

function takeBatch(waiting: FolderFile[]): FolderFile[] {
  let count = 0;
  for (let bytes = 0; count < Math.min(waiting.length, BATCH_FILES); count += 1) {
    bytes += waiting[count]?.file?.size ?? 0;
    if (count > 0 && bytes > BATCH_BYTES) break;
  }
  return waiting.splice(0, count);
}

type ReadFile = Refused | { path: string; target: string; body: string };

/** Reads a file and checks it before anything is sent. */
async function readFile({ path, file }: FolderFile, base: readonly string[]): Promise<ReadFile> {
  const target = [...base, ...path.split("/")].join("/");
  const place = parseFilePath(target);
  if (!file || isRefusal(place)) return { path, code: isRefusal(place) ? place.refused : "unreadable" };
  const body = await file
    .bytes()
    .then(decodeBody)
    .catch(() => null);
  if (body === null) return { path, code: "unreadable" };
  return isRefusal(body) ? { path, code: body.refused } : { path, target, body };
}

/** Sends several files in one request, and sends those beyond the limit of a minute again after it. */
async function sendBatch(
  files: readonly FolderFile[],
  base: readonly string[],
  sent: Sent,
  { signal, onWait }: Waiting,
): Promise<void> {
  const read = await Promise.all(files.map((file) => readFile(file, base)));
  sent.refused.push(...read.flatMap((file) => ("code" in file ? [file] : [])));
  let unsent = read.flatMap((file) => ("code" in file ? [] : [file]));
  while (unsent.length > 0 && !signal.aborted) {
    const form = new FormData();
    form.set("paths", JSON.stringify(unsent.map(({ target }) => target)));
    for (const { target, body } of unsent) form.append("files", new Blob([body]), target);
    const answer = await send("/api/files/batch", { method: "POST", body: form }, { signal, onWait });
    if (answer === "stopped") return;
    const results = unsent.map((file, index) => ({ file, result: readResult(answer, index) }));
    for (const { file, result } of results) sort(sent, file.path, result);
    unsent = results.flatMap(({ file, result }) => (result.status === 429 ? [file] : []));
    if (unsent.length === 0) return;
    onWait();
    await pause(Math.max(...results.map(({ result }) => result.retry_after ?? 1)), signal);
  }
}

type Result = {
  status: number;
  file_id?: string;
  version?: number;
  unchanged?: boolean;
  code?: string;
  retry_after?: number;
};

const readResult = (answer: Answer, index: number): Result =>
  answer.ok ? (answer.body.results?.[index] ?? { status: 500 }) : { status: 500, code: answer.code };

function sort(sent: Sent, path: string, { status, file_id, version, unchanged, code }: Result): void {
  if (status === 429) return;
  if (file_id === undefined || version === undefined) sent.refused.push({ path, code: code ?? "unsent" });
  else if (status === 201) sent.created.push({ id: file_id, path });
  else if (unchanged) sent.unchanged += 1;
  else sent.updated.push({ id: file_id, path, version });
}

type Answer = { ok: true; body: { results?: Result[] } } | { ok: false; code: string };

/** Sends again after as long as the server asks to wait. */
async function send(
  address: string,
  request: RequestInit,
  { signal, onWait }: Waiting,
): Promise<Answer | "stopped"> {
  for (;;) {
    if (signal.aborted) return "stopped";
    const answer = await fetch(address, { ...request, signal }).catch(() => null);
    if (!answer) return signal.aborted ? "stopped" : { ok: false, code: "unsent" };
    const result = await answer.json().catch(() => ({}));
    if (answer.ok) return { ok: true, body: result };
    if (answer.status !== 429) return { ok: false, code: result.code ?? "unsent" };
    onWait();
    await pause(Number(answer.headers.get("Retry-After")) || 1, signal);
  }
}

/** A wait that a person may end. */
const pause = (seconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, Math.min(seconds, WAIT_MAX_SECONDS) * 1000);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });

export type FolderOnWire = { id: string; name: string };

/** The folders right in the place that is uploaded to. */
export async function listThere({ folder }: TargetFolder): Promise<FolderOnWire[]> {
  const answer = await fetch(folder === "" ? "/api/folders" : `/api/folders?parent_id=${folder}`);
  return answer.ok ? (await answer.json()).folders : [];
}

/** False where something was left. */
export async function undoSending(
  { created, updated }: Sent,
  place: TargetFolder,
  before: readonly FolderOnWire[],
  waiting: Waiting,
): Promise<boolean> {
  const isRemoved = created.length === 0 || (await removeCreated(created, place, before));
  let isRestored = true;
  for (const file of updated) isRestored = (await restoreBefore(file, waiting)) && isRestored;
  return isRemoved && isRestored;
}

/** The version before the one that was sent; a file that has a newer one by now is left alone. */
async function restoreBefore({ id, version }: Updated, waiting: Waiting): Promise<boolean> {
  const now = await fetch(`/api/file/${id}`);
  if (!now.ok || (await now.json()).file.version !== version) return false;
  const request = {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ version: version - 1 }),
  };
  const restored = await send(`/api/file/${id}/restore-version`, request, waiting);
  return restored !== "stopped" && restored.ok;
}

/** Moves to the trash what was made: folders that were not there before, as a whole, and new files in older folders. */
async function removeCreated(
  created: readonly Created[],
  place: TargetFolder,
  before: readonly FolderOnWire[],
): Promise<boolean> {
  const known = new Set(before.map(({ id }) => id));
  const tops = new Set(created.map(findTop));
  const made = (await listThere(place)).filter(({ id, name }) => !known.has(id) && tops.has(name));
  const answers = await Promise.all(made.map(({ id }) => fetch(`/api/folders/${id}`, { method: "DELETE" })));
  const gone = new Set(made.map(({ name }) => name));
  const left = created.filter((file) => !gone.has(findTop(file) ?? "")).map(({ id }) => id);
  for (let at = 0; at < left.length; at += SELECTION_MAX) {
    const headers = { "Content-Type": "application/json" };
    const body = JSON.stringify({ file_ids: left.slice(at, at + SELECTION_MAX) });
    answers.push(await fetch("/api/files/bulk-delete", { method: "POST", headers, body }));
  }
  return answers.every(({ ok }) => ok);
}

/** The folder that a file was chosen with; undefined where it was chosen by itself. */
const findTop = ({ path }: Created) => (path.includes("/") ? path.split("/", 1)[0] : undefined);
