import type { Db } from "#db/client.ts";
import type { RepoDoc } from "#db/repos/documents.ts";
import { findTexts } from "#db/repos/repo-tree.server.ts";
import { type AnalysedFile, isReadByAnalysis } from "#domain/repos/repo-analysis.ts";

type AnalysisInput = { files: AnalysedFile[]; texts: Map<string, string>; commits: string[][] };

export async function readAnalysisInput(db: Db, repo: RepoDoc): Promise<AnalysisInput> {
  const filter = { repo_id: repo._id, user_id: repo.user_id };
  const files = await db.repo_files
    .find(filter)
    .project<AnalysedFile & { blob: string }>({ _id: 0, path: 1, size: 1, language: 1, kind: 1, blob: 1 })
    .sort({ path: 1 })
    .toArray();
  const readable = files.filter(({ path, kind }) => kind === "text" && isReadByAnalysis(path));
  const byBlob = await findTexts(db, { id: repo._id.toHexString(), user_id: repo.user_id }, readable);
  const texts = new Map(
    readable.flatMap(({ path, blob }) => {
      const text = byBlob.get(blob);
      return text === undefined ? [] : [[path, text] as const];
    }),
  );
  const commits = await db.repo_commits
    .find(filter)
    .project<{ paths: string[] }>({ _id: 0, paths: 1 })
    .sort({ at: -1, commit: -1 })
    .toArray();
  return { files, texts, commits: commits.map(({ paths }) => paths) };
}
