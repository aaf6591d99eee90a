import { createRequire } from "node:module";
import type { Diagnostic, Workspace } from "@astral-sh/ruff-wasm-nodejs";
import { type Tool, Unreadable } from "#app/tools/tool-task.ts";
import type { Issue, Severity } from "#domain/code-runs/code-tool.ts";

// What would fail when it runs is an error; what merely smells is a warning.
const ERRORS = /^(invalid-syntax|E9|F63|F7|F82)/;
const SYNTAX = "invalid-syntax";
const SETTINGS = { "line-length": 88, lint: { select: ["E4", "E7", "E9", "F", "B", "W605"] } };

let opened: Workspace | undefined;

function workspace(): Workspace {
  if (opened) return opened;
  const ruff: typeof import("@astral-sh/ruff-wasm-nodejs") = createRequire(import.meta.url)(
    "@astral-sh/ruff-wasm-nodejs",
  );
  opened = new ruff.Workspace(SETTINGS, ruff.PositionEncoding.Utf16);
  return opened;
}

export const python: Tool = {
  format({ code }) {
    const wrong = diagnose(code).filter((issue) => issue.code === SYNTAX);
    if (wrong.length > 0) throw new Unreadable(wrong);
    return workspace().format(code);
  },
  check: ({ code }) => diagnose(code),
};

const readSeverity = ({ code }: Diagnostic): Severity => (ERRORS.test(code ?? SYNTAX) ? "error" : "warning");

function diagnose(code: string): Issue[] {
  const found: Diagnostic[] = workspace().check(code);
  return found
    .map((diagnostic) => ({
      line: diagnostic.start_location.row,
      column: diagnostic.start_location.column,
      code: diagnostic.code ?? SYNTAX,
      message: diagnostic.message,
      severity: readSeverity(diagnostic),
      fixable: diagnostic.fix !== null,
    }))
    .sort((one, other) => one.line - other.line || one.column - other.column);
}
