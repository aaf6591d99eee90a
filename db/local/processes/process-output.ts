/**
 * Prints the output of the processes of a launch, each line after the name of its process. During the start it is held back, so
 * that the steps are readable, unless a person asked for all of it; then it is printed, after the held records. On a terminal,
 * records of success are left out; in a file, records stay JSON, which contains the process's name.
 */
import type { LineLog } from "./server-process.ts";

export type ProcessOutput = {
  openLog(name: string): LineLog;
  /** Prints new output from now on, and the records that were held back. */
  show(): void;
  showHeld(name: string): void;
};

const NAME_WIDTH = "postgres".length;
/** Per process; --verbose shows all. */
const HELD_LINES = 500;
/** A log line of `platform/log.ts`. */
const RECORD = /^\{"timestamp":"/;
const INFO_RECORD = /^\{"timestamp":"[^"]*","severity":"info",/;

type OutputOptions = { verbose: boolean; isTerminal: boolean };

export function openProcessOutput(
  say: (line: string) => void,
  { verbose, isTerminal }: OutputOptions,
): ProcessOutput {
  const heldLines = new Map<string, string[]>();
  let isShown = verbose;
  const isLeftOut = (line: string) => isTerminal && !verbose && INFO_RECORD.test(line);
  const sayLine = (name: string, line: string) => {
    if (isLeftOut(line)) return;
    const isRecord = !isTerminal && RECORD.test(line);
    say(isRecord ? line : `${name.padEnd(NAME_WIDTH)} | ${line}`);
  };
  return {
    openLog: (name) => (line) => {
      if (isShown) return sayLine(name, line);
      const lines = heldLines.get(name) ?? [];
      heldLines.set(name, lines);
      if (lines.push(line) > HELD_LINES) lines.shift();
    },
    show() {
      isShown = true;
      for (const [name, lines] of heldLines)
        for (const line of lines) if (RECORD.test(line)) sayLine(name, line);
      heldLines.clear();
    },
    showHeld(name) {
      for (const line of heldLines.get(name) ?? []) sayLine(name, line);
      heldLines.delete(name);
    },
  };
}
