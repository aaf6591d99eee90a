import type { Db } from "#db/client.ts";
import { type FileRecord, findFile } from "#db/files/file-records.server.ts";
import { findBodiesCached, findVersion, readVersionBody } from "#db/files/file-versions.server.ts";
import { listFilesBeside } from "#db/files/folders/folder-files.server.ts";
import { type CodeRunOrder, createLoneProgram, isRunnable } from "#domain/code-runs/code-run.ts";
import { type CodeRunRequest, programText } from "#domain/code-runs/code-run-schema.ts";
import { chooseRunFiles, type RunFile } from "#domain/code-runs/run-files.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { checkBySchema } from "#domain/schema.ts";

/** More files than a program gets, and enough to name those that it does not get. */
const LISTED_MAX = 300;

export type ReadOrder = { order: CodeRunOrder; ran: { fileId: string; version: number } | null };

/** The program is the request's own text, or a file of the person with the files of its folder. */
export async function readRunOrder(
  db: Db,
  ownerId: string,
  { code, language, file_name, file_id, version, keep: _, ...wishes }: CodeRunRequest,
): Promise<ReadOrder | Refusal> {
  if (file_id === undefined)
    return {
      order: { ...wishes, ...createLoneProgram(language, file_name), language, code: code ?? "" },
      ran: null,
    };
  const file = await findFile(db, ownerId, file_id);
  if (!file) return Refusal("file_not_found", { file_id });
  const number = version ?? file.version;
  const storedVersion = await findVersion(db, ownerId, file, number);
  if (!storedVersion) return Refusal("version_not_found", { file_id });
  if (!isRunnable(storedVersion.language)) return Refusal("not_runnable");
  const program = code ?? checkBySchema(programText, await readVersionBody(db, ownerId, file, number));
  if (isRefusal(program)) return program;
  const around = { ...(await readFilesBeside(db, ownerId, file)), name: file.file_name };
  return {
    order: { ...wishes, ...around, language: storedVersion.language, code: program },
    ran: code === undefined ? { fileId: file.id, version: number } : null,
  };
}

async function readFilesBeside(db: Db, ownerId: string, program: FileRecord) {
  const beside = await listFilesBeside(db, ownerId, program, LISTED_MAX);
  const { chosen, leftOut } = chooseRunFiles(
    beside.map(({ file, path }) => ({ path, file, size_bytes: file.size_bytes })),
  );
  const texts = await findBodiesCached(
    db,
    ownerId,
    chosen.map(({ file }) => file),
  );
  const files = chosen.flatMap(({ path }, i): RunFile[] => {
    const text = texts[i];
    return typeof text === "string" ? [{ path, text }] : [];
  });
  return { files, files_left_out: leftOut };
}
