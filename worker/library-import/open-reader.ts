import type { Imported, RecordKind } from "#domain/library-zip/export-format.ts";
import type { Damage } from "#domain/library-zip/library-import.ts";
import type { Log } from "#platform/log.ts";
import { PooledThread } from "#platform/threads/pooled-thread.ts";
import type { ThreadJob } from "#platform/threads/thread-job.ts";
import type { CodeFile, CodeHead } from "#worker/library-import/code-archive.ts";
import { Damaged } from "#worker/library-import/damaged.ts";
import type { ArchiveHead } from "#worker/library-import/reader.ts";
import type { ReaderAnswers, ReaderTask } from "#worker/library-import/reader-thread.ts";

/** A zip that is read on its own thread. Everything throws `Damaged` if the zip is no valid export. */
export type LibraryReader = {
  readHead(): Promise<ArchiveHead | CodeHead>;
  readRecords<Kind extends RecordKind>(kind: Kind): AsyncGenerator<Imported<Kind>[]>;
  readText(path: string): Promise<string>;
  readCode(): AsyncGenerator<CodeFile[]>;
  close(): Promise<void>;
};

export type ReaderLimits = {
  /** The limit of the thread's heap. */
  memoryMb: number;
  /** Processor time of one portion. */
  portionMs: number;
};

/** Enough for a portion of records or a text. */
const ANSWER_MAX = 64 * 1024 * 1024;

/** An import uses the same thread throughout, because the thread remembers how far it has read. */
export function createReader(fd: number, { memoryMb, portionMs }: ReaderLimits, log: Log): LibraryReader {
  const thread = new PooledThread(memoryMb);
  const job: ThreadJob<unknown, unknown> = {
    name: "library_import",
    module: "#worker/library-import/reader-thread.ts",
    run: "readZip",
    processorMs: portionMs,
    maxOutput: ANSWER_MAX,
  };
  const runReaderTask = async <Read extends ReaderTask["read"]>(
    task: ReaderTask & { read: Read },
  ): Promise<ReaderAnswers[Read]> => {
    const end = await thread.run(job, task);
    if (!end.ok) {
      log.warn("import_reader_ended", { why: end.reason, read: task.read });
      throw new Damaged("too_costly");
    }
    // The thread answers with the result of the task's name, or with the damage.
    const answer = end.value as ReaderAnswers[Read] | { damage: Damage };
    if ("damage" in answer) {
      const { why, entry, ...where } = answer.damage;
      throw new Damaged(why, entry, where);
    }
    return answer;
  };
  return {
    readHead: async () => (await runReaderTask({ read: "head", fd })).head,
    async *readRecords(kind) {
      for (;;) {
        const { records, isLast } = await runReaderTask({ read: "records", kind });
        if (isLast) return;
        // The records are of the requested kind.
        if (records.length > 0) yield records as Imported<typeof kind>[];
      }
    },
    readText: async (path) => (await runReaderTask({ read: "text", path })).text,
    async *readCode() {
      for (;;) {
        const { files, isLast } = await runReaderTask({ read: "code" });
        if (isLast) return;
        yield files;
      }
    },
    close: async () => void (await thread.close()),
  };
}
