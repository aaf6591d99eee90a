import type { ObjectId } from "mongodb";
import type { CodeRunResult } from "#domain/code-runs/code-run.ts";

/**
 * What running a version of a file brought, kept for a while beside the file. The program itself is the version; only its outputs
 * are here, so that lists leave them out and one result is read by its id. The store removes each at its date.
 */
export type RunResultDoc = CodeRunResult & {
  _id: ObjectId;
  user_id: string;
  file_id: ObjectId;
  version: number;
  created_at: Date;
  expires_at: Date;
};
