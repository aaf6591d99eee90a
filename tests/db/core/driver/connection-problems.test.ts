import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MongoCompatibilityError, MongoServerError } from "mongodb";
import { expect, it } from "vitest";
import {
  describeConnectionProblem,
  findConnectionProblem,
  isConnectionProblem,
} from "#db/core/driver/connection-problems.ts";
import { isStorageFault } from "#db/core/faults.server.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";

const coded = (code: string) => Object.assign(new Error("said by the system"), { code });

it.each([
  ["wrong_credentials", new MongoServerError({ code: 18 })],
  ["missing_rights", new MongoServerError({ code: 13 })],
  ["too_old", new MongoCompatibilityError("Server at a:1 reports maximum wire version 6")],
  ["wrong_credentials", coded("28P01")],
  ["missing_database", coded("3D000")],
  ["missing_rights", coded("42501")],
  ["certificate_refused", coded("DEPTH_ZERO_SELF_SIGNED_CERT")],
  ["unresolved_host", new AggregateError([coded("ENOTFOUND")])],
  ["unreachable", new AggregateError([coded("ECONNREFUSED")])],
] as const)("%s is told by its code", (problem, error) => {
  expect(isConnectionProblem(error)).toBe(true);
  expect(findConnectionProblem(error)).toBe(problem);
});

it("the oldest MongoDB that is named, in the sentence and in the documents, is the oldest that the driver takes", async () => {
  const { MIN_SUPPORTED_SERVER_VERSION, MIN_SUPPORTED_WIRE_VERSION } = (
    await import("mongodb/lib/cmap/wire_protocol/constants.js" as string)
  ).default;
  const tooOld = new MongoCompatibilityError("Server at a:1 reports maximum wire version 8");

  expect(describeConnectionProblem(tooOld, "MongoDB", "mongodb://a:1/shelf")).toBe(
    `MongoDB at mongodb://a:1/shelf is too old. Version ${MIN_SUPPORTED_SERVER_VERSION} is the oldest that is supported.`,
  );
  const operations = readFileSync(join(PROJECT_ROOT, "docs", "operations.md"), "utf8");
  expect(operations).toContain(
    `The oldest supported version is ${MIN_SUPPORTED_SERVER_VERSION} (wire version ${MIN_SUPPORTED_WIRE_VERSION})`,
  );
});

it("a mistake in what was asked is no problem of the connection, and no outage", () => {
  const refused = new MongoServerError({ code: 2, errmsg: "unknown operator: $near-by" });
  expect(isConnectionProblem(refused)).toBe(false);
  expect(isStorageFault(refused)).toBe(false);
});

it.each([91, 189, 10107, 11602, 64, 50])("a server that answers %i is out, for now", (code) => {
  expect(isStorageFault(new MongoServerError({ code }))).toBe(true);
});

it("the sentence names the database, its host and the variable, and neither user nor password", () => {
  const message = describeConnectionProblem(
    new MongoServerError({ code: 18 }),
    "MongoDB",
    "mongodb+srv://dana:s%40crets@cluster.example/shelf?retryWrites=true",
  );
  expect(message).toContain(
    "MongoDB at mongodb+srv://cluster.example/shelf refused the user name or password",
  );
  expect(message).toContain("MONGODB_URI");
  expect(message).not.toMatch(/dana|crets/);
});
