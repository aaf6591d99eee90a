/**
 * How documents move through a pipeline. Stages are pushed to, so that the caller decides when to pause:
 * a long scan yields to other requests between two pushes.
 */
import type { Variables } from "../expression/expression.ts";
import type { Doc, Value } from "../values/values.ts";

/** Takes a document; false means that no more are wanted. */
export type Sink = (document: Doc) => boolean;

export interface Stage {
  /** Takes one document, passes on what comes of it; false means that no more are wanted. */
  push(document: Doc, next: Sink): boolean;
  /** Called once after the last document: passes on what was held back. */
  finish(next: Sink): void;
}

/** What stages may ask of the outside. */
export interface PipelineContext {
  now: bigint;
  /** The command's `let`. */
  variables: Variables;
  /** Documents of a collection of the same database whose `path` equals the value, as $lookup means it. */
  lookup(collection: string, path: string, value: Value): Doc[];
  /** Throws when the operation's time is up. */
  checkTime(): void;
}
