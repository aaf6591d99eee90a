import { z } from "zod";
import type { WebServices } from "#app/http/request-context.ts";
import type { Flash } from "#app/http/session/flash.ts";
import { requestSync } from "#db/repos/repo-sync.server.ts";
import { createRepo, findRepo, removeRepo } from "#db/repos/repos.server.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { repoKey } from "#domain/repos/repo.ts";
import { repoPlace } from "#domain/repos/repo-place.ts";
import { repoRequest } from "#domain/repos/repo-schema.ts";
import { sameSitePath } from "#domain/same-site-path.ts";
import { checkBySchema } from "#domain/schema.ts";

/** What the forms about mirrors send: a new one, or a verb for one that is there. */
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
type Changed = { flash: Flash; place: string };

const VERBS: Record<RepoForm["intent"], (change: RepoChange) => Promise<Changed | Refusal>> = {
  mirror: async ({ services: { db, queue, env }, ownerId, form: { url, name, token }, now }) => {
    const rule = { allowLocal: env.codehost.allowLocal, dataKeys: env.dataKeys };
    const request = checkBySchema(repoRequest, { url, name: name.trim(), token: token.trim() });
    const repo = isRefusal(request) ? request : await createRepo(db, ownerId, request, rule, now);
    if (isRefusal(repo)) return (await alreadyMirrored(db, ownerId, url, repo, now)) ?? repo;
    await requestSync(db, queue, repo, "manual", now);
    return said("mirrored", repo.repo_name, repoPlace(repo.repo_name));
  },
  sync: async ({ services: { db, queue }, ownerId, form: { repo_name, next }, now }) => {
    const repo = await findRepo(db, ownerId, repo_name, now);
    if (!repo) return Refusal("repo_not_found", { repo_name });
    await requestSync(db, queue, repo, "manual", now);
    return said("syncing", repo_name, sameSitePath(next, repoPlace(repo_name)));
  },
  unmirror: async ({ services: { db }, ownerId, form: { repo_name }, now }) => {
    const repo = await removeRepo(db, ownerId, repo_name, now);
    return isRefusal(repo) ? repo : said("unmirrored", repo_name, "/repos");
  },
};

/** The form was sent twice, and the mirror exists already. */
async function alreadyMirrored(
  db: WebServices["db"],
  ownerId: string,
  url: string,
  { refused, context }: Refusal,
  now: Date,
): Promise<Changed | null> {
  if (refused !== "repo_name_taken") return null;
  const there = await findRepo(db, ownerId, String(context.repo_name), now);
  const isSame = there && URL.canParse(url) && repoKey(there.url) === repoKey(url.trim());
  return isSame ? said("mirrored", there.repo_name, repoPlace(there.repo_name)) : null;
}

const said = (what: "mirrored" | "syncing" | "unmirrored", name: string, place: string): Changed => ({
  flash: { say: "repo", what, name },
  place,
});

export function changeRepos(
  services: WebServices,
  ownerId: string,
  form: RepoForm,
): Promise<Changed | Refusal> {
  return VERBS[form.intent]({ services, ownerId, form, now: services.clock() });
}

/** A token is typed again. */
export const typedRepo = ({ intent, url, name }: RepoForm): TypedRepo => ({ intent, url, name });
