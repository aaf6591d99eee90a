import type { WebServices } from "#app/web/request-context.ts";
import { requestSync } from "#db/repos/repo-sync.server.ts";
import { setRepoUrl } from "#db/repos/repo-url.server.ts";
import type { RepoRecord } from "#db/repos/repos.server.ts";
import { isRefusal, type Refusal } from "#domain/refusal.ts";
import type { RepoRequest } from "#domain/repos/repo-schema.ts";

export async function changeRepoUrl(
  { db, queue, env, clock }: WebServices,
  ownerId: string,
  repoName: string,
  address: Omit<RepoRequest, "name">,
): Promise<RepoRecord | Refusal> {
  const rule = { allowLocal: env.codehost.allowLocal, dataKeys: env.dataKeys };
  const repo = await setRepoUrl(db, ownerId, repoName, address, rule, clock());
  if (isRefusal(repo)) return repo;
  return { ...repo, sync_run_id: await requestSync(db, queue, repo, "manual", clock()) };
}
