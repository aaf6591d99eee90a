import type { Skipped } from "./local-files.ts";
import {
  type Colour,
  cleanName,
  EXIT,
  Failure,
  isRefusal,
  messageFrom,
  type Output,
  paint,
} from "./output.ts";

const PARALLEL_REQUESTS = 4;

export async function forEachInParallel<T>(
  items: readonly T[],
  act: (item: T, index: number) => Promise<void>,
  count: number = PARALLEL_REQUESTS,
) {
  const waiting = [...items.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await act(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: count }, work));
}

type ReportOptions<T> = {
  toPrinted?: (result: Result, file: T) => Result;
  isShown?: (result: Result) => boolean;
  count?: number;
};

/** Works on several files at a time and prints what became of each in the order of the files. */
export async function reportEach<T extends { path: string }>(
  output: Output,
  files: readonly T[],
  act: (file: T) => Promise<Result>,
  options: ReportOptions<T> = {},
) {
  const { toPrinted = (result) => result, isShown = () => true, count } = options;
  const results: Result[] = [];
  let done = 0;
  let printed = 0;
  const report = async (file: T, index: number) => {
    results[index] = await act(file);
    done += 1;
    output.showProgress(`${done}/${files.length} ${file.path}`);
    for (let next = results[printed]; next; next = results[printed]) {
      if (isShown(next)) output.printLine(describeResult(toPrinted(next, files[printed] as T)));
      printed += 1;
    }
  };
  await forEachInParallel(files, report, count);
  return results;
}

export type Result = { path: string; status: string; version?: number; reason?: string; to?: string };

const STATUSES: Record<string, [mark: string, colour: Colour, words: string]> = {
  created: ["+", "green", "new"],
  updated: ["~", "green", "changed"],
  downloaded: ["<", "green", "downloaded"],
  unchanged: ["=", "grey", "unchanged"],
  skipped: ["-", "grey", "skipped"],
  refused: ["!", "red", "refused"],
  failed: ["!", "red", "failed"],
  uploaded: [">", "green", "uploaded"],
  deleted_here: ["x", "yellow", "deleted here"],
  deleted_there: ["x", "yellow", "moved to the trash of the library"],
  renamed_here: ["r", "blue", "renamed here"],
  renamed_there: ["r", "blue", "renamed in the library"],
  conflict: ["c", "red", "changed on both sides"],
};

export function describeResult({ path, status, reason, to }: Result) {
  const [mark, colour, words] = STATUSES[status] ?? ["?", "grey", status];
  const more = [words, to && `→ ${cleanName(to)}`, reason && cleanName(reason)].filter(Boolean).join(": ");
  return `${paint(colour, mark)} ${cleanName(path)}  ${paint("grey", more)}`;
}

function summarise(results: readonly Result[]) {
  const isQuiet = results.every(({ status }) => status === "skipped");
  const counts = Object.entries(STATUSES).flatMap(([name, [, , words]]) => {
    const count = results.filter(({ status }) => status === name).length;
    return count > 0 ? [`${count} ${words}`] : [];
  });
  return (isQuiet ? ["nothing changed", ...counts] : counts).join(", ") + summariseReasons(results);
}

function summariseReasons(results: readonly Result[]) {
  const reasons = results.flatMap(({ status, reason }) =>
    status === "skipped" ? [reason?.split(";")[0] ?? ""] : [],
  );
  if (reasons.length === 0) return "";
  const counts = [...new Set(reasons)].map(
    (reason) => `${reasons.filter((each) => each === reason).length} ${reason}`,
  );
  return ` (${counts.join("; ")}; --verbose lists them)`;
}

export function printSummary(output: Output, results: Result[], more: object = {}) {
  const isGood = !results.some(({ status }) => ["refused", "failed", "conflict"].includes(status));
  const isSaid = results.length === 1 && results[0]?.status !== "skipped";
  if (!isSaid) output.printLine(summarise(results));
  output.printJson({ ok: isGood, ...more, files: results });
  return isGood ? EXIT.ok : EXIT.failed;
}

/** A failure of one file is a result; a failure that concerns all files is thrown. */
export function toFailedResult(error: unknown, path: string): Result {
  if (isRefusal(error)) return { path, status: "refused", reason: error.message };
  if (error instanceof Failure) throw error;
  return { path, status: "failed", reason: messageFrom(error) };
}

export const toSkippedResult = ({ path, reason, isRefused }: Skipped): Result => ({
  path,
  status: isRefused ? "refused" : "skipped",
  reason,
});
