import type { Formatted, Issue, ToolRequest } from "#domain/code-runs/code-tool.ts";
import { readError } from "#platform/read-error.ts";

export type ToolTask = ToolRequest & { verb: "format" | "check" };

export type ToolAnswer = { verb: "format"; formatted: Formatted } | { verb: "check"; issues: Issue[] };

/** A tool formats a text, or lists the issues that keep it from being read. */
export type Tool = {
  format(task: ToolTask): Promise<string> | string;
  check(task: ToolTask): Promise<Issue[]> | Issue[];
};

/** Thrown by `format` if the text does not parse. */
export class Unreadable extends Error {
  readonly issues: Issue[];
  constructor(issues: Issue[]) {
    super("unreadable");
    this.issues = issues;
  }
}

const MESSAGE_MAX = 300;

export function toSyntaxIssue(line: number, column: number, message: string): Issue {
  const [first = ""] = message.split("\n");
  return {
    line: Math.max(1, line),
    column: Math.max(1, column),
    code: "syntax",
    message: first.slice(0, MESSAGE_MAX),
    severity: "error",
    fixable: false,
  };
}

/** Turns a parser's error into an issue. An exhausted stack or memory may have broken the parser, so it ends the thread. */
export function toParserIssue(
  error: unknown,
  locate: (error: never) => [line: number, column: number],
): Issue {
  const fault = error instanceof Error ? error : new Error(readError(error).message);
  const isBroken = [RangeError, WebAssembly.RuntimeError].some((kind) => fault instanceof kind);
  if (isBroken || /call stack/i.test(fault.message)) throw error;
  // `locate` knows the errors of its parser.
  const [line, column] = locate(error as never);
  return toSyntaxIssue(line, column, fault.message);
}
