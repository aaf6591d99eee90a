import type { ObjectId } from "mongodb";
import type { CodeRunResult } from "#domain/code-runs/code-run.ts";

/**
 * The results of running a version of a file, stored for a limited time. The program itself is the version; only its output is
 * here, so that lists can leave it out and one result is read by its id. The store deletes each at its date.
 */
export type RunResultDoc = CodeRunResult & {
  _id: ObjectId;
  user_id: string;
  file_id: ObjectId;
  version: number;
  created_at: Date;
  expires_at: Date;
};
