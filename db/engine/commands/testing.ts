/** Commands of an engine that was started for tests; to any other they are unknown. */
import { present } from "../values/present.ts";
import { type Doc, doc, Int32 } from "../values/values.ts";
import type { Command, Request } from "./request.ts";

function configureFailPoint({ engine, fields }: Request): Doc {
  return doc({ count: new Int32(present(engine.failPoints).configure(fields)) });
}

export const TESTING: Record<string, Command> = {
  configureFailPoint: { run: configureFailPoint, fields: ["mode", "data"], admin: true },
};
