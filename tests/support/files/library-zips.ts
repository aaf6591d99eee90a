/** Valid and invalid zips of libraries, and a worker in the process of the test that imports them. */

import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { encodeZip, type ZipEntry } from "#app/web/answers/zip.ts";
import type { Db } from "#db/client.ts";
import type { Queue } from "#db/jobs/queue.server.ts";
import type { LibraryImportDoc } from "#db/library-zip/documents.ts";
import { createArchiveWriter } from "#db/library-zip/library-import-archives.server.ts";
import {
  queueImportCheck,
  type ReceivedZip,
  startReceivingImport,
} from "#db/library-zip/library-imports.server.ts";
import { WORKING_STATES } from "#domain/library-zip/library-import.ts";
import type { Clock } from "#platform/clock.ts";
import { NOON, type TestStore } from "#tests/support/store.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";
import { temporaryDirectory } from "#tests/support/test-runs/temporary-directory.ts";
import { doJob } from "#tests/support/workers/do-job.ts";
import { createTestServices } from "#tests/support/workers/worker-services.ts";
import type { WorkerServices } from "#worker/job.ts";
import { libraryImport } from "#worker/jobs/library-import.ts";

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const read: T[] = [];
  for await (const item of items) read.push(item);
  return read;
}

export type Entries = Record<string, string | Uint8Array>;

export async function packZip(entries: Entries): Promise<Buffer> {
  async function* given(): AsyncGenerator<ZipEntry> {
    for (const [name, content] of Object.entries(entries))
      yield { name, content: Buffer.from(content as string), modifiedAt: NOON };
  }
  return Buffer.concat(await collect(encodeZip(given())));
}

/** The names in a zip as Python reads them; Python, and unzip if installed, must find no fault in it. */
export async function listByOthers(bytes: Uint8Array): Promise<string[]> {
  const path = join(await temporaryDirectory("zip"), "a.zip");
  await writeFile(path, bytes);
  const run = promisify(execFile);
  await run("unzip", ["-tqq", path]).catch((error: { code?: unknown }) => {
    if (error.code !== "ENOENT") throw error;
  });
  const script =
    "import json,sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); print(json.dumps([z.testzip(), z.namelist()]))";
  const { stdout } = await run("python3", ["-c", script, path], { maxBuffer: 64 * 1024 * 1024 });
  const [damaged, names] = JSON.parse(stdout);
  expect(damaged).toBeNull();
  return names;
}

export const EMPTY_EXPORT = {
  "manifest.json": JSON.stringify({
    format: "codeshelf-export",
    format_version: 1,
    created_at: "2037-11-14T12:00:00.000+00:00",
  }),
  "settings.json": JSON.stringify({
    locale: null,
    timezone: null,
    keyboard_shortcuts: null,
    has_seen_welcome_modal: false,
    dismissed_announcements: [],
    agent_instructions: null,
  }),
};

export const TEXT_PATH = "versions/0123456789abcdef01234567/1-a.py";
/** The record of a file with one version, as an export has it. */
export const exportedFile = (over: object = {}, version: object = {}) => ({
  id: "0123456789abcdef01234567",
  file_name: "a.py",
  language: "python",
  description: "",
  tags: [],
  repo: null,
  source_url: null,
  version: 1,
  last_version: 1,
  is_favorite: false,
  is_pinned: false,
  created_at: "2037-11-14T12:00:00.000+00:00",
  updated_at: "2037-11-14T12:00:00.000+00:00",
  last_opened_at: null,
  deleted_at: null,
  expires_at: null,
  versions: [
    {
      version: 1,
      file_name: "a.py",
      language: "python",
      created_at: "2037-11-14T12:00:00.000Z",
      path: TEXT_PATH,
      ...version,
    },
  ],
  ...over,
});
export const RECORDS_PATH = "records/files-1.json";
export const packFiles = (files: unknown[], more: Entries = { [TEXT_PATH]: "x" }) =>
  packZip({ ...EMPTY_EXPORT, ...more, [RECORDS_PATH]: JSON.stringify(files) });

export const packNumbered = (count: number, body = "x") => {
  const ids = Array.from({ length: count }, (_, i) => i.toString(16).padStart(24, "0"));
  const paths = ids.map((id) => `versions/${id}/1-a.py`);
  const records = ids.map((id, i) => exportedFile({ id, file_name: `${i}.py` }, { path: paths[i] }));
  return packFiles(records, Object.fromEntries(paths.map((path) => [path, body])));
};

/** Stores a zip in pieces and queues its check, as the form does. */
export async function sendZip(
  { db, clock }: { db: Db; clock: Clock },
  queue: Queue,
  user_id: string,
  bytes: Uint8Array,
  about: Omit<ReceivedZip, "size_bytes"> = {},
): Promise<{ user_id: string; import_id: string }> {
  const import_id = orThrow(await startReceivingImport(db, user_id, clock()));
  const writer = createArchiveWriter(db, { user_id, import_id }, new Date(), async () => {});
  await writer.write(bytes);
  await writer.end();
  await queueImportCheck(
    { db, queue },
    { user_id, import_id },
    { size_bytes: bytes.byteLength, ...about },
    clock(),
  );
  return { user_id, import_id };
}

type WorkOptions = {
  imports?: Partial<WorkerServices["imports"]>;
  signal?: AbortSignal;
  db?: WorkerServices["db"];
};

/** Runs the job for every waiting import, and returns each run's result. */
export async function workOffImports(
  store: Pick<TestStore, "db" | "clock">,
  { imports, signal, db }: WorkOptions = {},
): Promise<Record<string, unknown>[]> {
  const plain = createTestServices(store, db ? { db } : {});
  const services = { ...plain, imports: { ...plain.imports, ...imports } };
  const results: Record<string, unknown>[] = [];
  for (const { _id, import_id } of await listWaiting(store))
    results.push(
      await doJob(libraryImport, services, {
        payload: { user_id: _id, import_id },
        ...(signal && { signal }),
      }),
    );
  return results;
}

const listWaiting = ({ db }: Pick<TestStore, "db">): Promise<LibraryImportDoc[]> =>
  db.library_imports.find({ state: { $in: [...WORKING_STATES] } }).toArray();
