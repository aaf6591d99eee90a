import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PROJECT_ROOT } from "#db/local/project-root.ts";
import { FAULTS } from "./fault-store.ts";
import { FINISHERS, MANY_WRITES } from "./many-writes.ts";
import { listWritingVerbs } from "./store-verbs.ts";
import { VERB_ROWS } from "./verb-table.ts";

const operations = readFileSync(join(PROJECT_ROOT, "docs", "operations.md"), "utf8");
/** A verb may have a further row for a state it meets: `notes/createNote (…)`. */
const verbs = [...new Set(Object.keys(VERB_ROWS).map((name) => name.replace(/ \(.*$/, "")))].sort();

describe("the table of verbs and faults", () => {
  it("has a row for every verb of the store that writes", () => {
    const found = listWritingVerbs();
    expect(found.length).toBeGreaterThan(150);
    expect(verbs).toEqual(found);
  });

  it("is told in the operator's guide with its verbs and faults", () => {
    expect(operations).toContain(`${verbs.length} verbs`);
    for (const fault of Object.keys(FAULTS)) expect(operations).toContain(`| ${fault} |`);
  });

  it("is told there with the writes to many documents and who finishes them", () => {
    expect(operations).toContain(`${Object.keys(MANY_WRITES).length} calls`);
    const counts = Map.groupBy(Object.values(MANY_WRITES), (finisher) => finisher);
    for (const [finisher, calls] of counts)
      expect(operations).toContain(`| ${FINISHERS[finisher]} | ${calls.length} |`);
  });
});
