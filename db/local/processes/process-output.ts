/**
 * What the processes of a launch print, each line after the name of its process. While everything is starting it is held
 * back, so that the steps can be read, unless a person asked for all of it; from then on it goes through, after the records that were
 * held. On a terminal, records of what went well are left out; in a file, records stay JSON, which name their process themselves.
 */
import type { LineLog } from "./server-process.ts";

export type ProcessOutput = {
  openLog(name: string): LineLog;
  /** Shows what is printed from now on, and the records that were held back. */
  show(): void;
  /** Shows what was held back of one process. */
  showHeld(name: string): void;
};

const NAME_WIDTH = "postgres".length;
/** Of each process; --verbose shows all. */
const HELD_LINES = 500;
/** A line of the log as `platform/log.ts` writes it. */
const RECORD = /^\{"timestamp":"/;
const INFO_RECORD = /^\{"timestamp":"[^"]*","severity":"info",/;

type OutputOptions = { verbose: boolean; isTerminal: boolean };

export function openProcessOutput(
  say: (line: string) => void,
  { verbose, isTerminal }: OutputOptions,
): ProcessOutput {
  const held = new Map<string, string[]>();
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
      const lines = held.get(name) ?? [];
      held.set(name, lines);
      if (lines.push(line) > HELD_LINES) lines.shift();
    },
    show() {
      isShown = true;
      for (const [name, lines] of held) for (const line of lines) if (RECORD.test(line)) sayLine(name, line);
      held.clear();
    },
    showHeld(name) {
      for (const line of held.get(name) ?? []) sayLine(name, line);
      held.delete(name);
    },
  };
}
