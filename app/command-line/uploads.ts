import { setTimeout as pause } from "node:timers/promises";
import { failure, formatCount } from "./output.ts";
import {
  computeRetryDelay,
  parseAnswer,
  type RefusalBody,
  type Session,
  send,
  throwLost,
  toFailure,
  unexpectedAnswer,
} from "./requests.ts";

/** The most that one request with files may hold. */
const BATCH_FILES = 200;
const BATCH_BYTES = 16 * 1024 * 1024;

/** While one is answered, the next is filled. */
const BATCHES_AT_ONCE = 2;

/** Files that are read and sent at once, and how much of them is held in memory. */
export const PARALLEL_UPLOADS = 2 * BATCH_FILES;
const HELD_BYTES = 2 * BATCH_BYTES;

export type Uploaded = {
  path: string;
  status: number;
  file_id: string;
  version: number;
  unchanged?: boolean;
} & RefusalBody;

type Upload = {
  path: string;
  bytes: Uint8Array;
  expected: string | null | undefined;
  attempt: number;
  resolve: (answer: Uploaded) => void;
  reject: (error: unknown) => void;
};

export type Uploads = ReturnType<typeof createUploads>;

/** Files on their way to the library: those that wait go together in the next request. */
export function createUploads(session: Session) {
  let waiting: Upload[] = [];
  let requests = 0;
  let heldBytes = 0;

  function sendWaiting() {
    while (requests < BATCHES_AT_ONCE && waiting.length > 0) {
      const count = countForBatch(waiting);
      const batch = waiting.slice(0, count);
      waiting = waiting.slice(count);
      requests += 1;
      sendBatch(session, batch)
        .then((again) => {
          waiting = [...again, ...waiting];
        })
        .catch((error) => {
          for (const upload of batch) upload.reject(error);
        })
        .finally(() => {
          requests -= 1;
          sendWaiting();
        });
    }
  }

  return {
    /** Waits until there is memory for a file before it is read. */
    async holding<T>(size: number, act: () => Promise<T>) {
      while (heldBytes > 0 && heldBytes + size > HELD_BYTES) await pause(10);
      heldBytes += size;
      try {
        return await act();
      } finally {
        heldBytes -= size;
      }
    },
    /** The tag that the file must have may be given, or null where there must be none. */
    send(path: string, bytes: Uint8Array, expected?: string | null): Promise<Uploaded> {
      if (path.split("/").some((name) => name === "" || name === "." || name === ".."))
        throw failure("invalid_file_name", "the library does not take this name");
      return new Promise((resolve, reject) => {
        waiting.push({ path, bytes, expected, attempt: 1, resolve, reject });
        sendWaiting();
      });
    },
  };
}

function countForBatch(uploads: readonly Upload[]) {
  let count = 0;
  for (let bytes = 0; count < Math.min(uploads.length, BATCH_FILES); count += 1) {
    bytes += uploads[count]?.bytes.length ?? 0;
    if (count > 0 && bytes > BATCH_BYTES) break;
  }
  return count;
}

/** Answers what is to be sent again, after the wait that the server asked for. */
async function sendBatch(session: Session, batch: readonly Upload[]) {
  const body = new FormData();
  const expected = batch.flatMap(({ path, expected }) => (expected === undefined ? [] : [[path, expected]]));
  if (expected.length > 0) body.set("if_match", JSON.stringify(Object.fromEntries(expected)));
  // A form would escape some characters of names.
  body.set("paths", JSON.stringify(batch.map(({ path }) => path)));
  for (const { path, bytes } of batch) body.append("files", new Blob([bytes as BlobPart]), path);
  const response = await send(session, "POST", "/api/files/batch", { body, isRepeatable: true });
  const { results } = parseAnswer(session, await response.text().catch(throwLost));
  if (!Array.isArray(results) || results.length !== batch.length) throw unexpectedAnswer(session);
  const again: Upload[] = [];
  let seconds = 0;
  for (const [index, upload] of batch.entries()) {
    const result = results[index];
    const delay = computeRetryDelay(result.status, result.retry_after ?? null, upload.attempt);
    if (delay !== null) {
      seconds = Math.max(seconds, delay);
      again.push({ ...upload, attempt: upload.attempt + 1 });
    } else if (result.status < 300) upload.resolve(result);
    else upload.reject(toFailure(session, result, result));
  }
  if (seconds >= 1) session.output.printRemark(describeWait(again.length, seconds));
  await pause(seconds * 1000);
  return again;
}

const describeWait = (count: number, seconds: number) =>
  `${formatCount(count, "file")} must wait ${Math.ceil(seconds)} s: the server takes only so many files a minute.`;
