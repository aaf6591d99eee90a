import { z } from "zod";
import type { WebServices } from "#app/web/request-context.ts";
import type { Flash } from "#app/web/session/flash.ts";
import { requestSync } from "#db/repos/repo-sync.server.ts";
import { createRepo, findRepo, removeRepo } from "#db/repos/repos.server.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { repoKey } from "#domain/repos/repo.ts";
import { repoPlace } from "#domain/repos/repo-place.ts";
import { repoRequest } from "#domain/repos/repo-schema.ts";
import { sameSitePath } from "#domain/same-site-path.ts";
import { checkBySchema } from "#domain/schema.ts";

export const repoForm = z.object({
  intent: z.enum(["mirror", "sync", "unmirror"]),
  url: z.string().default(""),
  name: z.string().default(""),
  token: z.string().default(""),
  repo_name: z.string().default(""),
  next: z.string().default(""),
});

type RepoForm = z.output<typeof repoForm>;
export type TypedRepo = Pick<RepoForm, "intent" | "url" | "name">;
type RepoChange = { services: WebServices; ownerId: string; form: RepoForm; now: Date };
type RepoResult = { flash: Flash; page: string };

const VERBS: Record<RepoForm["intent"], (change: RepoChange) => Promise<RepoResult | Refusal>> = {
  mirror: async ({ services: { db, queue, env }, ownerId, form: { url, name, token }, now }) => {
    const rule = { allowLocal: env.codehost.allowLocal, dataKeys: env.dataKeys };
    const request = checkBySchema(repoRequest, { url, name: name.trim(), token: token.trim() });
    const repo = isRefusal(request) ? request : await createRepo(db, ownerId, request, rule, now);
    if (isRefusal(repo)) return (await findSameMirror(db, ownerId, url, repo, now)) ?? repo;
    await requestSync(db, queue, repo, "manual", now);
    return toResult("mirrored", repo.repo_name, repoPlace(repo.repo_name));
  },
  sync: async ({ services: { db, queue }, ownerId, form: { repo_name, next }, now }) => {
    const repo = await findRepo(db, ownerId, repo_name, now);
    if (!repo) return Refusal("repo_not_found", { repo_name });
    await requestSync(db, queue, repo, "manual", now);
    return toResult("syncing", repo_name, sameSitePath(next, repoPlace(repo_name)));
  },
  unmirror: async ({ services: { db }, ownerId, form: { repo_name }, now }) => {
    const repo = await removeRepo(db, ownerId, repo_name, now);
    return isRefusal(repo) ? repo : toResult("unmirrored", repo_name, "/repos");
  },
};

/** Returns the result for the existing mirror if the form was sent twice; otherwise null. */
async function findSameMirror(
  db: WebServices["db"],
  ownerId: string,
  url: string,
  { refused, context }: Refusal,
  now: Date,
): Promise<RepoResult | null> {
  if (refused !== "repo_name_taken") return null;
  const existingRepo = await findRepo(db, ownerId, String(context.repo_name), now);
  const isSame = existingRepo && URL.canParse(url) && repoKey(existingRepo.url) === repoKey(url.trim());
  return isSame ? toResult("mirrored", existingRepo.repo_name, repoPlace(existingRepo.repo_name)) : null;
}

const toResult = (what: "mirrored" | "syncing" | "unmirrored", name: string, page: string): RepoResult => ({
  flash: { say: "repo", what, name },
  page,
});

export function changeRepos(
  services: WebServices,
  ownerId: string,
  form: RepoForm,
): Promise<RepoResult | Refusal> {
  return VERBS[form.intent]({ services, ownerId, form, now: services.clock() });
}

/** A token has to be typed again. */
export const keepTypedRepo = ({ intent, url, name }: RepoForm): TypedRepo => ({ intent, url, name });
