import { expect, it } from "vitest";
import { chooseNearest } from "#tests/support/test-runs/changed-tests.ts";
import { countTests } from "#tests/support/test-runs/result.ts";

const file = (status: string, ...tests: string[]) => ({
  ...{ name: "a.test.ts", startTime: 0, endTime: 1, status },
  assertionResults: tests.map((test) => ({ status: test })),
});
const sound = file("passed", "passed");

it.each([
  ["tests that fail", [file("passed", "passed", "passed"), file("failed", "passed", "failed")], 3, 1],
  ["a file that could not be read", [sound, file("failed")], 1, 1],
  ["an error outside of all tests", [sound], 1, 1],
])("the closing line counts as failed: %s", (_, testResults, passed, failed) => {
  const [numPassedTests, numFailedTests] = [passed, testResults.length > 1 && passed > 1 ? 1 : 0];
  expect(countTests({ success: false, numPassedTests, numFailedTests, testResults })).toEqual({
    passed,
    failed,
  });
});

it("the closing line counts a run without a report as failed", () => {
  expect(countTests(null)).toEqual({ passed: 0, failed: 1 });
});

it("a change is tested by what imports it, nearest first, as far as a person waits", () => {
  const sources = new Map([
    ["domain/notes/note.ts", ""],
    ["db/notes/notes.server.ts", 'import { toNote } from "#domain/notes/note.ts";'],
    ["tests/domain/note.test.ts", 'import { toNote } from "../../domain/notes/note.ts";'],
    ["tests/db/notes.test.ts", 'import { listNotes } from "#db/notes/notes.server.ts";'],
    ["tests/db/slow.test.ts", 'const { listNotes } = await import("#db/notes/notes.server.ts");'],
  ]);
  const durations = { "tests/db/slow.test.ts": 300 };

  expect(chooseNearest(["domain/notes/note.ts"], sources, durations)).toEqual({
    chosen: ["tests/domain/note.test.ts", "tests/db/notes.test.ts"],
    left: 1,
  });
});
