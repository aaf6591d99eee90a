import { ObjectId as Id } from "mongodb";
import type { Db } from "#db/client.ts";
import type { RepoAnalysisDoc } from "#db/repos/documents.ts";
import type { RepoRecord } from "#db/repos/repos.server.ts";

export async function findAnalysis(
  db: Db,
  { id, user_id }: Pick<RepoRecord, "id" | "user_id">,
): Promise<RepoAnalysisDoc | null> {
  return db.repo_analyses.findOne({ _id: new Id(id), user_id });
}

export async function setAnalysis(db: Db, doc: RepoAnalysisDoc): Promise<void> {
  await db.repo_analyses.replaceOne({ _id: doc._id, user_id: doc.user_id }, doc, { upsert: true });
}
