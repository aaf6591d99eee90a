/**
 * How documents move through a pipeline. Stages are pushed to, so that the caller decides when to pause:
 * a long scan yields to other requests between two pushes.
 */
import type { Doc } from "../values/values.ts";

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
  /** Throws when the operation's time is up. */
  checkTime(): void;
}
