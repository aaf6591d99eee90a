import type { Imported, RecordKind } from "#domain/export-format.ts";
import type { Log } from "#platform/log.ts";
import { createThread } from "#platform/thread.ts";
import { Damaged } from "#worker/library-import/damaged.ts";
import type { ArchiveHead } from "#worker/library-import/reader.ts";
import type { ReaderAnswer, ReaderTask } from "#worker/library-import/reader-thread.ts";

/** A zip that is read on its own thread. Everything throws `Damaged` where the zip is not what an export is. */
export type LibraryReader = {
  readHead(): Promise<ArchiveHead>;
  readRecords<Kind extends RecordKind>(kind: Kind): AsyncGenerator<Imported<Kind>[]>;
  readText(path: string): Promise<string>;
  close(): Promise<void>;
};

export type ReaderLimits = {
  /** How much the thread's heap may hold. */
  memoryMb: number;
  /** How long one portion may take. */
  portionMs: number;
};

export function openReader(fd: number, { memoryMb, portionMs }: ReaderLimits, log: Log): LibraryReader {
  const thread = createThread<ReaderTask, ReaderAnswer>({
    module: new URL("./reader-thread.ts", import.meta.url),
    deadlineMs: portionMs,
    maxWaiting: 1,
    memoryMb,
  });
  const ask = async (task: ReaderTask) => {
    const answer = await thread.ask(task);
    if (typeof answer === "string") {
      log.warn("import_reader_ended", { why: answer, read: task.read });
      throw new Damaged("too_costly");
    }
    if ("damage" in answer) {
      const { why, entry, ...where } = answer.damage;
      throw new Damaged(why, entry, where);
    }
    return answer as never;
  };
  return {
    readHead: async () => ((await ask({ read: "head", fd })) as { head: ArchiveHead }).head,
    async *readRecords(kind) {
      for (;;) {
        const { records, isLast }: { records: never[]; isLast: boolean } = await ask({
          read: "records",
          kind,
        });
        if (isLast) return;
        if (records.length > 0) yield records;
      }
    },
    readText: async (path) => ((await ask({ read: "text", path })) as { text: string }).text,
    close: () => thread.close(),
  };
}
