import { type Codehost, type Committed, toRateRefusal } from "#app/codehost/codehost.ts";
import type { HostTree } from "#app/codehost/host-tree.ts";
import type { Db } from "#db/client.ts";
import { findFile, readBody } from "#db/files/file-records.server.ts";
import type { Queue } from "#db/jobs/queue.server.ts";
import { requestSync } from "#db/repos/repo-sync.server.ts";
import { findRepoToken, type RepoRecord } from "#db/repos/repos.server.ts";
import type { Role } from "#domain/accounts/role.ts";
import { checkBody } from "#domain/files/file.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { hostedName, isHostedBy, isStorablePath } from "#domain/repos/repo.ts";
import { codePoints } from "#domain/text/text.ts";
import type { Env } from "#platform/env/env.ts";
import type { Log } from "#platform/log.ts";

type UploadSource = { file_id: string } | { content: string };
type UploadRequest = { path: string; message?: string; branch?: string; source: UploadSource };

type UploadServices = { db: Db; env: Env; codehost: Codehost; clock: () => Date };
/** Without a session, the request comes from a script with a token of the person. */
type Person = { user: { id: string }; role: Role; sessionId: string | null };

const MESSAGE_MAX = 500;
/** One to read the current file and one to write. */
const REQUESTS_NEEDED = 2;
const BRANCH = /^(?![-/.])(?!.*(\.\.|@\{|\/\/))[^\s~^:?*[\\\p{Cc}]{1,250}$/u;

export async function uploadToHost(
  services: UploadServices,
  person: Person,
  repo: RepoRecord,
  upload: UploadRequest,
): Promise<Committed | Refusal> {
  const { db } = services;
  const about = { repo: repo.id, resource: { type: "repo", id: repo.id } };
  db.emit("codehost_upload_start", about);
  const result = await commitText(services, person, repo, upload);
  if (!isRefusal(result)) return result;
  const failure = { ...about, error: result.refused };
  if ("file_id" in upload.source) db.emit("codehost_upload_saved_error", failure);
  else db.emit("codehost_upload_direct_error", failure);
  return result;
}

async function commitText(
  services: UploadServices,
  person: Person,
  repo: RepoRecord,
  { path, message, branch = repo.branch ?? "main", source }: UploadRequest,
): Promise<Committed | Refusal> {
  const { db, codehost } = services;
  const body = await readSourceText(db, person.user.id, source);
  if (isRefusal(body)) return body;
  if (!isStorablePath(path) || !BRANCH.test(branch)) return Refusal("codehost_rejected");
  const commitMessage = message?.trim() || `Update ${path}`;
  if (codePoints(commitMessage) > MESSAGE_MAX) return Refusal("codehost_rejected");
  const token = await findToken(services, person, repo);
  if (isRefusal(token)) return token;
  const allowed = await checkRate(services, repo, token);
  if (isRefusal(allowed)) return allowed;
  return codehost.commitFile(token, { ...hostedName(repo.url), branch, path, body, message: commitMessage });
}

/** Queues a sync after a commit. Null if that fails; the mirror's next sync brings the commit anyway. */
export async function requestSyncAfterCommit(
  { db, queue, clock, log }: UploadServices & { queue: Queue; log: Log },
  repo: RepoRecord,
): Promise<string | null> {
  try {
    return await requestSync(db, queue, repo, "manual", clock());
  } catch (error) {
    log.error("sent_not_synced", { repo: repo.id, error });
    return null;
  }
}

/** Reads what is at the path at the host, for people who may send files there. */
export async function readHostFolder(
  services: UploadServices,
  person: Person,
  repo: RepoRecord,
  { path, branch = repo.branch ?? "main" }: Pick<UploadRequest, "path" | "branch">,
): Promise<HostTree | Refusal> {
  if (!isStorablePath(path) || !BRANCH.test(branch)) return Refusal("codehost_rejected");
  const token = await findToken(services, person, repo);
  if (isRefusal(token)) return token;
  return services.codehost.readTree(token, { ...hostedName(repo.url), branch, path });
}

async function readSourceText(db: Db, ownerId: string, source: UploadSource): Promise<string | Refusal> {
  if ("content" in source) return checkBody(source.content);
  const file = await findFile(db, ownerId, source.file_id);
  return file ? readBody(db, ownerId, file) : Refusal("file_not_found", { file_id: source.file_id });
}

/**
 * Finds the token of the person's own mirror, or this installation's. The latter reaches everything that its operators can, so only
 * administrators use it, in a session of their own and not by scripts. No token goes to another host than its repository's.
 */
async function findToken(
  { db, env, codehost }: UploadServices,
  { role, sessionId }: Person,
  repo: RepoRecord,
): Promise<string | Refusal> {
  if (codehost.apiUrl === null || !isHostedBy(repo.url, codehost.apiUrl))
    return Refusal("codehost_not_configured");
  const own = await findRepoToken(db, repo, env.dataKeys);
  if (own !== null) return own;
  if (role !== "admin" || env.codehost.token === null) return Refusal("codehost_token_missing");
  return sessionId === null ? Refusal("codehost_session_required") : env.codehost.token;
}

async function checkRate(
  { db, codehost, clock }: UploadServices,
  repo: RepoRecord,
  token: string,
): Promise<null | Refusal> {
  const rate = await codehost.rateLimit(token);
  if (isRefusal(rate)) return rate;
  db.emit("codehost_rate_limit_check", {
    ...(rate.remaining === null ? {} : { remaining: rate.remaining }),
    resource: { type: "repo", id: repo.id },
  });
  if (rate.remaining === null || rate.remaining >= REQUESTS_NEEDED) return null;
  const waitMs = (rate.resetAt?.getTime() ?? 0) - clock().getTime();
  return toRateRefusal(Math.max(1, Math.ceil(waitMs / 1_000)));
}

export function maySendTo(
  { env, codehost }: Pick<UploadServices, "env" | "codehost">,
  { role }: Person,
  repo: RepoRecord,
): boolean {
  const isHost = codehost.apiUrl !== null && isHostedBy(repo.url, codehost.apiUrl);
  return isHost && (repo.has_token || (role === "admin" && env.codehost.token !== null));
}
