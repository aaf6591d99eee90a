import { createRequire } from "node:module";
import type { Diagnostic, Workspace } from "@astral-sh/ruff-wasm-nodejs";
import { type Tool, Unreadable } from "#app/tools/tool-task.ts";
import type { Issue, Severity } from "#domain/code-runs/code-tool.ts";

// Code that fails at run time is an error; other findings are warnings.
const ERRORS = /^(invalid-syntax|E9|F63|F7|F82)/;
const SYNTAX = "invalid-syntax";
const SETTINGS = { "line-length": 88, lint: { select: ["E4", "E7", "E9", "F", "B", "W605"] } };

let workspace: Workspace | undefined;

function getWorkspace(): Workspace {
  if (workspace) return workspace;
  const ruff: typeof import("@astral-sh/ruff-wasm-nodejs") = createRequire(import.meta.url)(
    "@astral-sh/ruff-wasm-nodejs",
  );
  workspace = new ruff.Workspace(SETTINGS, ruff.PositionEncoding.Utf16);
  return workspace;
}

export const python: Tool = {
  format({ code }) {
    const wrong = diagnose(code).filter((issue) => issue.code === SYNTAX);
    if (wrong.length > 0) throw new Unreadable(wrong);
    return getWorkspace().format(code);
  },
  check: ({ code }) => diagnose(code),
};

const readSeverity = ({ code }: Diagnostic): Severity => (ERRORS.test(code ?? SYNTAX) ? "error" : "warning");

function diagnose(code: string): Issue[] {
  const diagnostics: Diagnostic[] = getWorkspace().check(code);
  return diagnostics
    .map((diagnostic) => ({
      line: diagnostic.start_location.row,
      column: diagnostic.start_location.column,
      code: diagnostic.code ?? SYNTAX,
      message: diagnostic.message,
      severity: readSeverity(diagnostic),
      fixable: diagnostic.fix !== null,
    }))
    .sort((a, b) => a.line - b.line || a.column - b.column);
}
