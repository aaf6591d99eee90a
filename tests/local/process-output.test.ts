import { expect, it } from "vitest";
import { openProcessOutput } from "#db/local/processes/process-output.ts";

const INFO = '{"timestamp":"2026-11-17T03:56:07.619Z","severity":"info","event":"job_completed"}';
const WARN = INFO.replace("info", "warn");

function print(options: { verbose: boolean; isTerminal: boolean }): string[] {
  const said: string[] = [];
  const output = openProcessOutput((line) => said.push(line), options);
  const log = output.openLog("web");
  log("while it starts");
  output.show();
  for (const line of [INFO, WARN, "plain words"]) log(line);
  return said;
}

const after = (...lines: string[]) => lines.map((line) => `web      | ${line}`);

it("leaves out on a terminal what went well", () => {
  expect(print({ verbose: false, isTerminal: true })).toEqual(after(WARN, "plain words"));
});

it("goes through to a log file, and on a terminal where all of it is asked for", () => {
  expect(print({ verbose: false, isTerminal: false })).toEqual(after(INFO, WARN, "plain words"));
  expect(print({ verbose: true, isTerminal: true })).toEqual(
    after("while it starts", INFO, WARN, "plain words"),
  );
});
