/** The last stage of a pipeline where it writes: $out or $merge. What is written is not answered. */

import type { Documents } from "../cursors.ts";
import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { isDoc, type Value } from "../values/values.ts";
import { merging } from "./merge.ts";
import { replacingCollection } from "./out.ts";
import type { Request } from "./request.ts";
import type { Write } from "./target.ts";

type Destination = (spec: Value, request: Request) => Write;

const DESTINATIONS: Readonly<Record<string, Destination>> = { $merge: merging, $out: replacingCollection };

async function* nothing(): AsyncGenerator<Buffer[]> {}

export interface Split {
  /** The stages before it. */
  stages: Value[];
  /** Writes, then answers what is left for the client: nothing. */
  write: ((documents: Documents) => Promise<Documents>) | undefined;
}

function checkReadConcern(stage: string, { fields }: Request): void {
  const concern = fields.get("readConcern");
  if (isDoc(concern) && concern.get("level") === "linearizable")
    fail(72, `${stage} cannot be used with a 'linearizable' read concern level`);
}

export function splitDestination(pipeline: Value[], request: Request): Split {
  const last = pipeline.at(-1);
  const [name, spec] = isDoc(last) ? ([...last][0] ?? []) : [];
  if (name === undefined || !Object.hasOwn(DESTINATIONS, name)) return { stages: pipeline, write: undefined };
  checkReadConcern(name, request);
  const write = present(DESTINATIONS[name])(present(spec), request);
  return {
    stages: pipeline.slice(0, -1),
    write: async (documents) => {
      await write(documents);
      return nothing();
    },
  };
}
