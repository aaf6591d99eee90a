import { amount } from "#app/i18n/amount.ts";
import { writeDuration } from "#app/i18n/duration.ts";
import { counted } from "#app/i18n/en/counted.ts";

export const tools = {
  title: "Code tools",
  code: "Code",
  language: "Language",
  run: "Run",
  timeout: "Time limit (s)",
  format: "Format",
  check: "Check",
  save: "Save as a file",
  result: "Result",
  nothingYet: "Results appear here.",
  runPremium:
    "To run code, ask your administrator for a premium account. Format and Check work for everyone.",
  runDisabled: "Running code is turned off on this server.",
  runLimits: (seconds: number, memoryMb: number, codeKib: number) =>
    `Limits of a run: ${seconds} s, ${memoryMb} MB memory, ${codeKib} KiB of code. No network or files.`,
  runKey: "Press Ctrl+Enter to run.",
  toolLimits: (kib: number) => `Format and Check limits: ${kib} KiB, 10 s.`,
  tooLarge: (bytes: number) => `The code is too large. The limit is ${bytes / 1024} KiB.`,
  place: (line: number, column: number) => `Line ${line}, column ${column}:`,
  ranWell: "Finished",
  ranBadly: (exitCode: number) => `Failed (exit code ${exitCode})`,
  stdout: "Output",
  stderr: "Errors",
  noOutput: "No output",
  truncated: "Output was too long and is cut off.",
  took: (ms: number) => writeDuration("en", ms),
  granted: (seconds: number, memoryMb: number) => `limits ${seconds} s, ${memoryMb} MB`,
  memoryUsed: (mb: number) => `${amount(mb)} MB used`,
  firstRun: "The first run takes longer.",
  available: "What programs can import",
  availablePython: "Python: files of the same folder, and these modules of the standard library.",
  availableScripts:
    "JavaScript and TypeScript: files of the same folder. There are no packages, no Node modules and no network.",
  noIssues: "No problems found",
  issues: counted("problem", "problems"),
  firstIssues: (shown: number) => `Only the first ${amount(shown)} are shown.`,
  severities: { error: "Error", warning: "Warning" },
  inOrder: (tool: string) => `Already formatted (${tool})`,
  formatted: (tool: string) => `Formatted with ${tool}`,
  take: "Use formatted code",
  changes: "Changes",
  open: "Code tools",
  stopped: {
    timed_out: (seconds: number) => `Timed out after ${seconds} s`,
    out_of_memory: (memoryMb: number) => `Out of memory (limit ${memoryMb} MB)`,
    stopped: "Stopped",
    crashed: "The program crashed",
  },
};
