/** A folder of unified tests against one server: which are meant for it, and of those which hold. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BSON, MongoClient } from "mongodb";
import { possibleDifferences } from "./driver-differences.ts";
import { execute } from "./execute.ts";
import { SUPPORTED_SCHEMA, type TestCase, type TestFile } from "./format.ts";
import { Refusals } from "./refusals.ts";
import { describeServer, type Server, unmetRequirement } from "./server.ts";

type Verdict = { outcome: "passed" } | { outcome: "failed" | "not applicable"; reason: string };

export type Judged = Verdict & { file: string; test: string };

export async function runFolder(folder: string, uri: string): Promise<Judged[]> {
  const client = await MongoClient.connect(uri, { serverSelectionTimeoutMS: 5_000 });
  try {
    const server = await describeServer(uri, client);
    const refusals = new Refusals(server);
    const judged: Judged[] = [];
    for (const [path, file] of readTestFiles(folder)) {
      for (const test of file.tests) {
        judged.push({ file: path, test: test.description, ...(await judge(file, test, server, refusals)) });
      }
    }
    return judged;
  } finally {
    await client.close();
  }
}

/** JSON files that name a schema and hold tests; other JSON is none of ours. */
function readTestFiles(folder: string): [string, TestFile][] {
  return globSync("**/*.json", { cwd: folder })
    .sort()
    .map((path): [string, TestFile] => [path, JSON.parse(readFileSync(join(folder, path), "utf8"))])
    .filter(([, file]) => typeof file.schemaVersion === "string" && Array.isArray(file.tests))
    .map(([path, file]) => [path, BSON.EJSON.deserialize(file) as TestFile]);
}

async function judge(file: TestFile, test: TestCase, server: Server, refusals: Refusals): Promise<Verdict> {
  if (!isSupported(file.schemaVersion)) {
    return { outcome: "failed", reason: `the runner does not read schema ${file.schemaVersion}` };
  }
  const reason =
    test.skipReason ??
    unmetRequirement(file.runOnRequirements, server) ??
    unmetRequirement(test.runOnRequirements, server) ??
    (await refusals.of(file, test));
  if (reason !== undefined) return { outcome: "not applicable", reason };
  const differences = possibleDifferences(test);
  try {
    await execute(file, test, server);
    return { outcome: "passed" };
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    const difference = differences.find((known) => known.failure.test(failure));
    return difference === undefined
      ? { outcome: "failed", reason: failure }
      : { outcome: "not applicable", reason: difference.reason };
  }
}

function isSupported(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major === SUPPORTED_SCHEMA.major && minor <= SUPPORTED_SCHEMA.minor;
}
