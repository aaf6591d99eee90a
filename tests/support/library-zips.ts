/** Zips as exports are and as they are not, and a worker in the process of the test that takes them. */
import { type ZipEntry, zip } from "#app/http/zip.ts";
import type { LibraryImportDoc } from "#db/library-imports.server.ts";
import { WORKING_STATES } from "#domain/library-import.ts";
import { benchOf } from "#tests/support/bench.ts";
import { NOON, type TestStore } from "#tests/support/store.ts";
import type { Bench } from "#worker/handlers.ts";
import { libraryImport } from "#worker/jobs/library-import.ts";

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const read: T[] = [];
  for await (const item of items) read.push(item);
  return read;
}

export type Entries = Record<string, string | Uint8Array>;

export async function zipOf(entries: Entries): Promise<Buffer> {
  async function* given(): AsyncGenerator<ZipEntry> {
    for (const [name, content] of Object.entries(entries))
      yield { name, content: Buffer.from(content as string), modifiedAt: NOON };
  }
  return Buffer.concat(await collect(zip(given())));
}

/** An export of nothing. */
export const EMPTY_EXPORT = {
  "manifest.json": JSON.stringify({
    format: "codeshelf-export",
    format_version: 1,
    created_at: "2026-11-14T12:00:00.000+00:00",
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

export type WorkOptions = { imports?: Partial<Bench["imports"]>; signal?: AbortSignal; db?: Bench["db"] };

/** Takes every import that waits for a worker, as the job does, and answers what each run left as its result. */
export async function workOffImports(
  store: Pick<TestStore, "db" | "clock">,
  { imports, signal, db }: WorkOptions = {},
): Promise<Record<string, unknown>[]> {
  const plain = benchOf(store, db ? { db } : {});
  const bench = { ...plain, imports: { ...plain.imports, ...imports } };
  const results: Record<string, unknown>[] = [];
  for (const { _id, import_id } of await listWaiting(store))
    results.push(
      await libraryImport({
        bench,
        payload: { user_id: _id, import_id },
        signal: signal ?? new AbortController().signal,
        report: async () => {},
      }),
    );
  return results;
}

const listWaiting = ({ db }: Pick<TestStore, "db">): Promise<LibraryImportDoc[]> =>
  db.library_imports.find({ state: { $in: [...WORKING_STATES] } }).toArray();
