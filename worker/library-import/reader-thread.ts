import type { RecordKind } from "#domain/library-zip/export-format.ts";
import type { Damage } from "#domain/library-zip/library-import.ts";
import { required } from "#domain/required.ts";
import { type Archive, openArchive } from "#worker/library-import/archive.ts";
import { type CodeFile, type CodeHead, openCodeArchive } from "#worker/library-import/code-archive.ts";
import { Damaged } from "#worker/library-import/damaged.ts";
import {
  type AnyRecord,
  type ArchiveHead,
  readHead,
  readRecordPortions,
  readText,
} from "#worker/library-import/reader.ts";

/** Reads a zip on its own thread, so that it uses the thread's memory and not the worker's. */
export type ReaderTask =
  | { read: "head"; fd: number }
  | { read: "records"; kind: RecordKind }
  | { read: "text"; path: string }
  | { read: "code" };
export type ReaderAnswers = {
  head: { head: ArchiveHead | CodeHead };
  /** The next portion of a kind; `isLast` is true after the last one. */
  records: { records: AnyRecord[]; isLast: boolean };
  text: { text: string };
  /** The next files of a zip of code; `isLast` is true after the last ones. */
  code: { files: CodeFile[]; isLast: boolean };
};
type ReaderAnswer = ReaderAnswers[keyof ReaderAnswers];

let archive: Archive;
let code: AsyncGenerator<CodeFile[]> | null = null;
const portions = new Map<RecordKind, AsyncGenerator<AnyRecord[]>>();

async function runTask(task: ReaderTask): Promise<ReaderAnswer> {
  if (task.read === "head") {
    const codeArchive = await openCodeArchive(task.fd);
    if (codeArchive) {
      code = codeArchive.readPortions();
      return { head: codeArchive.head };
    }
    archive = await openArchive(task.fd);
    return { head: await readHead(archive) };
  }
  if (task.read === "code") {
    const { done, value } = await required(code, "zip of code").next();
    return { files: value ?? [], isLast: Boolean(done) };
  }
  if (task.read === "text") return { text: await readText(archive, task.path) };
  const { kind } = task;
  const reading = portions.get(kind) ?? readRecordPortions(archive, kind);
  portions.set(kind, reading);
  const { done, value } = await reading.next();
  if (done) portions.delete(kind);
  return { records: value ?? [], isLast: Boolean(done) };
}

export async function readZip(task: ReaderTask): Promise<ReaderAnswer | { damage: Damage }> {
  try {
    return await runTask(task);
  } catch (error) {
    if (error instanceof Damaged) return { damage: error.damage };
    throw error;
  }
}
