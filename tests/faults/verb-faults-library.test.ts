import { describe } from "vitest";
import { needsEngine } from "#tests/support/databases/server-needs.ts";
import { strikeVerbs } from "./strike-verbs.ts";
import { LIBRARY_ROWS } from "./verb-table.ts";

needsEngine("it uses fail points that are the engine's own");

describe("under each fault of a replica set", async () => {
  await strikeVerbs(LIBRARY_ROWS);
});
