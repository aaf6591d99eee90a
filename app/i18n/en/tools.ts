import { counted } from "#app/i18n/en/counted.ts";

export const tools = {
  title: "Code tools",
  code: "Code",
  language: "Language",
  run: "Run",
  timeout: "Seconds",
  format: "Format",
  check: "Check",
  save: "Save as a file",
  result: "Result",
  nothingYet: "The result appears here.",
  runPremium: "Running Python needs a premium account; formatting and checking are for everyone.",
  runDisabled: "Running code is switched off on this server.",
  runLimits: (seconds: number, memoryMb: number, codeKib: number) =>
    `A Python program may run for up to ${seconds} seconds with ${memoryMb} MB of memory and ${codeKib} KiB of code, without network or files.`,
  runKey: "Ctrl+Enter runs.",
  toolLimits: (kib: number) => `Format and Check take up to ${kib} KiB and stop after 10 seconds.`,
  tooLarge: (bytes: number) => `That is too much code: ${bytes / 1024} KiB at most.`,
  place: (line: number, column: number) => `Line ${line}, column ${column}:`,
  ranWell: "It ran to its end.",
  ranBadly: (exitCode: number) => `It ended with exit code ${exitCode}.`,
  stdout: "Output",
  stderr: "Errors",
  noOutput: "Nothing",
  truncated: "There was more output than is kept; the rest is left out.",
  took: (ms: number) => `Took ${ms} ms.`,
  granted: (seconds: number, memoryMb: number) => `It could use ${seconds} seconds and ${memoryMb} MB.`,
  memoryUsed: (mb: number) =>
    mb === 0
      ? "It needed no memory beyond Python's own."
      : `It needed ${mb} MB of memory beyond Python's own.`,
  running: "Running…",
  firstRun: "The first run after a start prepares Python and takes longer.",
  noIssues: "Nothing to complain about.",
  issues: counted("remark", "remarks"),
  severities: { error: "Error", warning: "Warning" },
  inOrder: (tool: string) => `Already in good order (${tool}).`,
  formatted: (tool: string) => `Put in order by ${tool}.`,
  take: "Use the formatted code",
  changes: "Changes",
  open: "Code tools",
};
