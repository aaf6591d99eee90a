import { type Codehost, type Committed, rateLimited } from "#app/codehost/codehost.ts";
import type { HostTree } from "#app/codehost/host-tree.ts";
import type { Db } from "#db/client.ts";
import { findFile, readBody } from "#db/files/file-records.server.ts";
import type { Queue } from "#db/jobs/queue.server.ts";
import { requestSync } from "#db/repos/repo-sync.server.ts";
import { findRepoToken, type RepoRecord } from "#db/repos/repos.server.ts";
import type { Role } from "#domain/accounts/role.ts";
import { checkBody } from "#domain/files/file.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { hostedName, isHostedBy, isKeepablePath } from "#domain/repos/repo.ts";
import { codePoints } from "#domain/text/text.ts";
import type { Env } from "#platform/env/env.ts";
import type { Log } from "#platform/log.ts";

/** What is sent: a file of the library, or a text as it is. */
type UploadSource = { file_id: string } | { content: string };
type UploadWish = { path: string; message?: string; branch?: string; source: UploadSource };

type UploadServices = { db: Db; env: Env; codehost: Codehost; clock: () => Date };
/** Without a session it is a script that holds a token of the person. */
type Person = { user: { id: string }; role: Role; sessionId: string | null };

const MESSAGE_MAX = 500;
/** Reading what is there and writing. */
const REQUESTS_NEEDED = 2;
const BRANCH = /^(?![-/.])(?!.*(\.\.|@\{|\/\/))[^\s~^:?*[\\\p{Cc}]{1,250}$/u;

/** Sends one text to the host of a mirrored repository as a commit. */
export async function uploadToHost(
  services: UploadServices,
  person: Person,
  repo: RepoRecord,
  wish: UploadWish,
): Promise<Committed | Refusal> {
  const { db } = services;
  const about = { repo: repo.id, resource: { type: "repo", id: repo.id } };
  db.emit("codehost_upload_start", about);
  const sent = await send(services, person, repo, wish);
  if (!isRefusal(sent)) return sent;
  const failure = { ...about, error: sent.refused };
  if ("file_id" in wish.source) db.emit("codehost_upload_saved_error", failure);
  else db.emit("codehost_upload_direct_error", failure);
  return sent;
}

async function send(
  services: UploadServices,
  person: Person,
  repo: RepoRecord,
  { path, message, branch = repo.branch ?? "main", source }: UploadWish,
): Promise<Committed | Refusal> {
  const { db, codehost } = services;
  const body = await readSourceText(db, person.user.id, source);
  if (isRefusal(body)) return body;
  if (!isKeepablePath(path) || !BRANCH.test(branch)) return Refusal("codehost_rejected");
  const said = message?.trim() || `Update ${path}`;
  if (codePoints(said) > MESSAGE_MAX) return Refusal("codehost_rejected");
  const token = await tokenFor(services, person, repo);
  if (isRefusal(token)) return token;
  const allowed = await checkRate(services, repo, token);
  if (isRefusal(allowed)) return allowed;
  return codehost.commitFile(token, { ...hostedName(repo.url), branch, path, body, message: said });
}

/** Queues a sync of what was sent. Null where it could not be queued: the commit is done, and the mirror's next sync brings it. */
export async function syncSent(
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

/** What is at the host where a text would go, for whoever could send it. */
export async function lookAtHost(
  services: UploadServices,
  person: Person,
  repo: RepoRecord,
  { path, branch = repo.branch ?? "main" }: Pick<UploadWish, "path" | "branch">,
): Promise<HostTree | Refusal> {
  if (!isKeepablePath(path) || !BRANCH.test(branch)) return Refusal("codehost_rejected");
  const token = await tokenFor(services, person, repo);
  if (isRefusal(token)) return token;
  return services.codehost.readTree(token, { ...hostedName(repo.url), branch, path });
}

async function readSourceText(db: Db, ownerId: string, source: UploadSource): Promise<string | Refusal> {
  if ("content" in source) return checkBody(source.content);
  const file = await findFile(db, ownerId, source.file_id);
  return file ? readBody(db, ownerId, file) : Refusal("file_not_found", { file_id: source.file_id });
}

/**
 * The token of the person's own mirror. That of this installation reaches whatever its operators may, so only they use it, and
 * only themselves: what scripts hold in their name does not spend it. No token goes to another host than its repository's.
 */
async function tokenFor(
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
  return rateLimited(Math.max(1, Math.ceil(waitMs / 1_000)));
}

/** Whether this person could send files to the host of this repository. */
export function maySendTo(
  { env, codehost }: Pick<UploadServices, "env" | "codehost">,
  { role }: Person,
  repo: RepoRecord,
): boolean {
  const isHost = codehost.apiUrl !== null && isHostedBy(repo.url, codehost.apiUrl);
  return isHost && (repo.has_token || (role === "admin" && env.codehost.token !== null));
}
