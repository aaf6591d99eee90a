import { expect, it } from "vitest";
import { chooseNearest } from "#tests/support/test-runs/changed-tests.ts";

const sources = new Map([
  ["domain/notes/note.ts", ""],
  ["db/notes/notes.server.ts", 'import { toNote } from "#domain/notes/note.ts";'],
  ["tests/domain/note.test.ts", 'import { toNote } from "../../domain/notes/note.ts";'],
  ["tests/db/notes.test.ts", 'import { listNotes } from "#db/notes/notes.server.ts";'],
  ["tests/db/slow.test.ts", 'const { listNotes } = await import("#db/notes/notes.server.ts");'],
  ["tests/routes/boards.test.ts", ""],
]);

it("a change is tested by what imports it, nearest first, as far as a person waits", () => {
  const durations = { "tests/db/slow.test.ts": 300 };

  expect(chooseNearest(["domain/notes/note.ts"], sources, durations)).toEqual({
    chosen: ["tests/domain/note.test.ts", "tests/db/notes.test.ts"],
    left: 1,
  });
});

it("a changed test runs however long it takes", () => {
  const durations = { "tests/db/slow.test.ts": 300 };

  expect(chooseNearest(["tests/db/slow.test.ts"], sources, durations).chosen).toEqual([
    "tests/db/slow.test.ts",
  ]);
});

it("a page in the bundle is tested by the tests of its noun", () => {
  expect(chooseNearest(["app/routes/boards.$id.tsx"], sources, {}).chosen).toEqual([
    "tests/routes/boards.test.ts",
  ]);
});
