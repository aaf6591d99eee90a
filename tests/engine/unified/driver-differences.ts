/**
 * Where the official driver itself does not do what a test expects of a driver. What it sends is its own
 * affair: no server can make these tests pass. A test is set aside only when it failed in the way described.
 */
import type { Operation, TestCase } from "./format.ts";

interface Difference {
  reason: string;
  concerns(operation: Operation): boolean;
  failure: RegExp;
}

const DIFFERENCES: Difference[] = [
  {
    reason: "the driver leaves out bypassDocumentValidation: false",
    concerns: ({ arguments: args }) => args?.bypassDocumentValidation === false,
    failure: /command\.bypassDocumentValidation is missing instead of false$/,
  },
  {
    reason: "the driver replaces an _id of null by one of its own",
    concerns: ({ name, arguments: args }) =>
      /^(insert|bulkWrite)/.test(name) && JSON.stringify(args).includes('"_id":null'),
    failure: /\(countDocuments\): result is 0 instead of 1$/,
  },
  {
    reason: "the driver lists the ids of documents that were not inserted",
    concerns: ({ name }) => name === "bulkWrite",
    failure: /error\.result\.insertedIds has unexpected fields/,
  },
  {
    reason: "the driver has no mapReduce",
    concerns: ({ name }) => name === "mapReduce",
    failure: /^the runner has no operation mapReduce /,
  },
];

/** Asked before the test runs: the driver puts the _id that it makes into the test's own document. */
export function possibleDifferences(test: TestCase): Difference[] {
  return DIFFERENCES.filter(({ concerns }) => test.operations.some(concerns));
}
