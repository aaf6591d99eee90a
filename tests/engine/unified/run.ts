/**
 * npm run conformance -- <folder of unified JSON tests>
 *
 * Runs MongoDB's unified tests against the embedded engine, or against the MongoDB that TEST_MONGODB_URI
 * names, and says what passed, what failed and what is not applicable and why. Exits 1 when anything failed
 * or nothing ran.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEngine } from "#db/local/engine.ts";
import { givenMongoDB } from "#tests/support/databases/given-mongodb.ts";
import { report } from "./report.ts";
import { runFolder } from "./suite.ts";

const [folder] = process.argv.slice(2);

if (folder === undefined) {
  console.error("usage: npm run conformance -- <folder of unified JSON tests>");
  process.exitCode = 1;
} else {
  const judged = await withServer((uri) => runFolder(folder, uri));
  console.log(report(judged));
  const ran = judged.some(({ outcome }) => outcome === "passed");
  if (!ran || judged.some(({ outcome }) => outcome === "failed")) process.exitCode = 1;
}

async function withServer<T>(act: (uri: string) => Promise<T>): Promise<T> {
  if (givenMongoDB) return act(givenMongoDB);
  const directory = await mkdtemp(join(tmpdir(), "codeshelf-conformance-"));
  const engine = await startEngine({
    directory,
    log: (line) => console.error(line),
    sync: "normal",
    testCommands: true,
  });
  try {
    return await act(engine.uri);
  } finally {
    await engine.stop();
    await rm(directory, { recursive: true, force: true });
  }
}
