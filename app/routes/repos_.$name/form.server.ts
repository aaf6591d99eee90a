import { z } from "zod";
import type { WebServices } from "#app/http/request-context.ts";
import { requestSync } from "#db/repos/repo-sync.server.ts";
import { setRepoUrl } from "#db/repos/repo-url.server.ts";
import type { RepoRecord } from "#db/repos/repos.server.ts";
import { isRefusal, type Refusal } from "#domain/refusal.ts";

export const repoUrlForm = z.object({ url: z.string().default(""), token: z.string().default("") });

/** Points the mirror to the typed address and asks for a sync from there. */
export async function changeRepoUrl(
  { db, queue, env, clock }: WebServices,
  { user_id, repo_name }: RepoRecord,
  { url, token }: z.output<typeof repoUrlForm>,
): Promise<RepoRecord | Refusal> {
  const rule = { allowLocal: env.codehost.allowLocal, dataKeys: env.dataKeys };
  const repo = await setRepoUrl(db, user_id, repo_name, { url, token: token.trim() }, rule, clock());
  if (!isRefusal(repo)) await requestSync(db, queue, repo, "manual", clock());
  return repo;
}
