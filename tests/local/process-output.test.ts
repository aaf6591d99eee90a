import { expect, it } from "vitest";
import { openProcessOutput } from "#db/local/processes/process-output.ts";

const INFO = '{"timestamp":"2026-11-17T03:56:07.619Z","severity":"info","event":"job_completed"}';
const STARTED = INFO.replace("job_completed", "internal_web_started");
const WARN = INFO.replace("info", "warn");

function print(options: { verbose: boolean; isTerminal: boolean }): string[] {
  const lines: string[] = [];
  const output = openProcessOutput((line) => lines.push(line), options);
  const log = output.openLog("web");
  log("while it starts");
  log(STARTED);
  output.show();
  for (const line of [INFO, WARN, "plain words"]) log(line);
  return lines;
}

const after = (...lines: string[]) => lines.map((line) => `web      | ${line}`);

it("omits successes on a terminal", () => {
  expect(print({ verbose: false, isTerminal: true })).toEqual(after(WARN, "plain words"));
});

it("goes through to a log file, as JSON and with the records of the start", () => {
  expect(print({ verbose: false, isTerminal: false })).toEqual([
    STARTED,
    INFO,
    WARN,
    ...after("plain words"),
  ]);
});

it("goes to a terminal completely if asked for", () => {
  expect(print({ verbose: true, isTerminal: true })).toEqual(
    after("while it starts", STARTED, INFO, WARN, "plain words"),
  );
});
