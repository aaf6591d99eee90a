import type { FolderFile } from "#app/enhance/folders/folder-files.ts";
import { decodeBody } from "#domain/files/file.ts";
import { parseFilePath } from "#domain/files/folders/file-path.ts";
import { isRefusal } from "#domain/refusal.ts";

const PARALLEL_REQUESTS = 2;
const BATCH_FILES = 50;
const BATCH_BYTES = 4 * 1024 * 1024;
const SELECTION_MAX = 100;
const WAIT_MAX_SECONDS = 60;

type Refused = { path: string; code: string };
/** `path` is relative to the chosen folder's parent. */
type Created = { id: string; path: string };
type Updated = Created & { version: number };
export type Sent = { created: Created[]; updated: Updated[]; unchanged: number; refused: Refused[] };
type TargetFolder = { folder: string; path: readonly string[] };
type SendOptions = {
  signal: AbortSignal;
  onProgress: (done: number, all: number) => void;
  onWait: () => void;
};

export async function sendFiles(
  files: readonly FolderFile[],
  { path }: TargetFolder,
  { signal, onProgress, onWait }: SendOptions,
): Promise<Sent> {
  const sent: Sent = { created: [], updated: [], unchanged: 0, refused: [] };
  const pending = [...files];
  let done = 0;
  const work = async () => {
    while (pending.length > 0 && !signal.aborted) {
      const batch = takeBatch(pending);
      await sendBatch(batch, path, sent, { signal, onWait });
      done += batch.length;
      onProgress(done, files.length);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_REQUESTS }, work));
  return sent;
}

type WaitOptions = Pick<SendOptions, "signal" | "onWait">;

function takeBatch(pending: FolderFile[]): FolderFile[] {
  let count = 0;
  for (let bytes = 0; count < Math.min(pending.length, BATCH_FILES); count += 1) {
    bytes += pending[count]?.file?.size ?? 0;
    if (count > 0 && bytes > BATCH_BYTES) break;
  }
  return pending.splice(0, count);
}

type ReadFile = Refused | { path: string; target: string; body: string };

async function toUploadFile({ path, file }: FolderFile, base: readonly string[]): Promise<ReadFile> {
  const target = [...base, ...path.split("/")].join("/");
  const parsedPath = parseFilePath(target);
  if (!file || isRefusal(parsedPath))
    return { path, code: isRefusal(parsedPath) ? parsedPath.refused : "unreadable" };
  const body = await file
    .bytes()
    .then(decodeBody)
    .catch(() => null);
  if (body === null) return { path, code: "unreadable" };
  return isRefusal(body) ? { path, code: body.refused } : { path, target, body };
}

/** Sends several files in one request. Files beyond the rate limit are sent again after the wait. */
async function sendBatch(
  files: readonly FolderFile[],
  base: readonly string[],
  sent: Sent,
  { signal, onWait }: WaitOptions,
): Promise<void> {
  const read = await Promise.all(files.map((file) => toUploadFile(file, base)));
  sent.refused.push(...read.flatMap((file) => ("code" in file ? [file] : [])));
  let unsent = read.flatMap((file) => ("code" in file ? [] : [file]));
  while (unsent.length > 0 && !signal.aborted) {
    const form = new FormData();
    form.set("paths", JSON.stringify(unsent.map(({ target }) => target)));
    for (const { target, body } of unsent) form.append("files", new Blob([body]), target);
    const answer = await sendWithRetry(
      "/api/files/batch",
      { method: "POST", body: form },
      { signal, onWait },
    );
    if (answer === "stopped") return;
    const results = unsent.map((file, index) => ({ file, result: readResult(answer, index) }));
    for (const { file, result } of results) recordResult(sent, file.path, result);
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

function recordResult(sent: Sent, path: string, { status, file_id, version, unchanged, code }: Result): void {
  if (status === 429) return;
  if (file_id === undefined || version === undefined) sent.refused.push({ path, code: code ?? "unsent" });
  else if (status === 201) sent.created.push({ id: file_id, path });
  else if (unchanged) sent.unchanged += 1;
  else sent.updated.push({ id: file_id, path, version });
}

type Answer = { ok: true; body: { results?: Result[] } } | { ok: false; code: string };

/** Repeats a request after the wait that the server asks for. */
async function sendWithRetry(
  address: string,
  request: RequestInit,
  { signal, onWait }: WaitOptions,
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

const pause = (seconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, Math.min(seconds, WAIT_MAX_SECONDS) * 1000);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });

export type FolderOnWire = { id: string; name: string };

export async function listSubfolders({ folder }: TargetFolder): Promise<FolderOnWire[]> {
  const answer = await fetch(folder === "" ? "/api/folders" : `/api/folders?parent_id=${folder}`);
  return answer.ok ? (await answer.json()).folders : [];
}

export async function undoUpload(
  { created, updated }: Sent,
  place: TargetFolder,
  before: readonly FolderOnWire[],
  waiting: WaitOptions,
): Promise<boolean> {
  const isRemoved = created.length === 0 || (await trashCreatedFiles(created, place, before));
  let isRestored = true;
  for (const file of updated) isRestored = (await restorePreviousVersion(file, waiting)) && isRestored;
  return isRemoved && isRestored;
}

/** Restores the version before the upload; a file that has changed since then is left alone. */
async function restorePreviousVersion({ id, version }: Updated, waiting: WaitOptions): Promise<boolean> {
  const current = await fetch(`/api/file/${id}`);
  if (!current.ok || (await current.json()).file.version !== version) return false;
  const request = {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ version: version - 1 }),
  };
  const restored = await sendWithRetry(`/api/file/${id}/restore-version`, request, waiting);
  return restored !== "stopped" && restored.ok;
}

/** Moves the created files to the trash: new folders as a whole, and new files in older folders. */
async function trashCreatedFiles(
  created: readonly Created[],
  place: TargetFolder,
  before: readonly FolderOnWire[],
): Promise<boolean> {
  const idsBefore = new Set(before.map(({ id }) => id));
  const topNames = new Set(created.map(findTop));
  const newFolders = (await listSubfolders(place)).filter(
    ({ id, name }) => !idsBefore.has(id) && topNames.has(name),
  );
  const answers = await Promise.all(
    newFolders.map(({ id }) => fetch(`/api/folders/${id}`, { method: "DELETE" })),
  );
  const removedNames = new Set(newFolders.map(({ name }) => name));
  const remainingIds = created.filter((file) => !removedNames.has(findTop(file) ?? "")).map(({ id }) => id);
  for (let start = 0; start < remainingIds.length; start += SELECTION_MAX) {
    const headers = { "Content-Type": "application/json" };
    const body = JSON.stringify({ file_ids: remainingIds.slice(start, start + SELECTION_MAX) });
    answers.push(await fetch("/api/files/bulk-delete", { method: "POST", headers, body }));
  }
  return answers.every(({ ok }) => ok);
}

const findTop = ({ path }: Created) => (path.includes("/") ? path.split("/", 1)[0] : undefined);
