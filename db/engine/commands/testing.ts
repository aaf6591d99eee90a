/** Commands of an engine that was started for tests; to any other they are unknown. */
import { fail } from "../values/errors.ts";
import { type Doc, doc, Int32 } from "../values/values.ts";
import type { Command, Request } from "./request.ts";

function configureFailPoint({ engine, fields, db }: Request): Doc {
  if (db !== "admin") fail(13, "configureFailPoint may only be run against the admin database.");
  return doc({ count: new Int32(engine.failPoints!.configure(fields)) });
}

export const TESTING: Record<string, Command> = {
  configureFailPoint: { run: configureFailPoint, fields: ["mode", "data"] },
};
