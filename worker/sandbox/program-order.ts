import { ALLOWED_IMPORTS, createLoneProgram, type RunnableLanguage } from "#domain/code-runs/code-run.ts";
import { RUN_FILE_LIMITS, type RunFile } from "#domain/code-runs/run-files.ts";

/** A program for a sandbox process. */
export type ProgramOrder = {
  code: string;
  language?: RunnableLanguage;
  timeoutMs: number;
  memoryMb: number;
  stdin?: string;
  args?: readonly string[];
  name?: string;
  files?: readonly RunFile[];
  /** Null allows all imports, for tests of the other layers. */
  allowedImports?: readonly string[] | null;
};

const MB = 1024 * 1024;

const KEEPS = {
  filesMax: RUN_FILE_LIMITS.maxWritten,
  fileMaxBytes: RUN_FILE_LIMITS.maxWrittenFileBytes,
  totalMaxBytes: RUN_FILE_LIMITS.maxWrittenBytes,
};

export function toOrderMessage(program: ProgramOrder) {
  const { code, timeoutMs, memoryMb, language = "python", stdin = "", args = [] } = program;
  const { name = createLoneProgram(language).name, files = [], allowedImports = ALLOWED_IMPORTS } = program;
  return {
    language,
    program: code,
    order: JSON.stringify({ allowed_imports: allowedImports, name, args }),
    args,
    memoryBytes: Math.floor(memoryMb * MB),
    timeoutMs,
    stdin,
    folder: { name, files, keeps: KEEPS },
  };
}
