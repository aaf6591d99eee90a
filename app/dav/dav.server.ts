import { createHash } from "node:crypto";
import { browserResponse, notFound, problemResponse } from "#app/dav/answers.ts";
import type { DavAnswer, DavCall } from "#app/dav/call.ts";
import { answerLock, answerUnlock } from "#app/dav/locking.server.ts";
import { answerPropfind } from "#app/dav/propfind.server.ts";
import { answerProppatch } from "#app/dav/proppatch.server.ts";
import { createJunkEtag, findResource } from "#app/dav/resource.server.ts";
import { answerCopy, answerMove } from "#app/dav/transfer.server.ts";
import { answerDelete, answerMkcol, answerPut } from "#app/dav/writing.server.ts";
import { answerText } from "#app/files/file-text.server.ts";
import { wantsPage } from "#app/web/answers/accept.ts";
import { recordFault, toFaultRefusal } from "#app/web/answers/faults.server.ts";
import type { RequestContext } from "#app/web/request-context.ts";
import { parseToken } from "#app/web/session/bearer.ts";
import type { JunkFile } from "#db/dav/dav-junk.server.ts";
import type { TokenScope } from "#domain/accounts/access-token.ts";
import { parseDavPath } from "#domain/dav/dav-path.ts";
import { DavProblem, isProblem, orProblem, toProblem } from "#domain/dav/dav-problem.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { hasKey, listKeys } from "#domain/typed-keys.ts";

/**
 * WebDAV (RFC 4918, classes 1, 2 and 3) as a table: one row per method with the scope that a token needs and what it does. The process
 * holds no state between requests, so any number of web processes may answer.
 */
type MethodRow = { scope: TokenScope; answer(call: DavCall): Promise<DavAnswer> };

const METHODS = {
  OPTIONS: { scope: "read", answer: async () => new Response(null, { headers: { Allow: listMethods() } }) },
  GET: { scope: "read", answer: answerRead },
  HEAD: { scope: "read", answer: answerRead },
  PROPFIND: { scope: "read", answer: answerPropfind },
  PROPPATCH: { scope: "write", answer: answerProppatch },
  PUT: { scope: "write", answer: answerPut },
  DELETE: { scope: "write", answer: answerDelete },
  MKCOL: { scope: "write", answer: answerMkcol },
  COPY: { scope: "write", answer: answerCopy },
  MOVE: { scope: "write", answer: answerMove },
  LOCK: { scope: "write", answer: answerLock },
  UNLOCK: { scope: "write", answer: answerUnlock },
} satisfies Record<string, MethodRow>;

export const DAV_METHODS: readonly string[] = listKeys(METHODS);

const listMethods = () => DAV_METHODS.join(", ");

type DavRequest = {
  request: Request;
  context: RequestContext;
  /** The raw path of the address, because a parsed one has its `..` resolved. */
  encodedPath: string;
  host: string;
};

/** Answers in XML even for refusals and faults; only a browser gets text. */
export async function answerDav(davRequest: DavRequest): Promise<Response> {
  const { request, context } = davRequest;
  const answer = await callMethod(davRequest).catch((error) =>
    toProblem(toFaultRefusal(recordFault(context, request.method, error))),
  );
  const isBrowser = request.method === "GET" && wantsPage(request.headers.get("Accept"));
  const respond = isBrowser ? browserResponse : problemResponse;
  const response = isProblem(answer) ? respond(answer) : answer;
  response.headers.set("DAV", "1, 2, 3");
  response.headers.set("MS-Author-Via", "DAV");
  return response;
}

async function callMethod({ request, context, encodedPath, host }: DavRequest): Promise<DavAnswer> {
  if (context.refusal) return toProblem(context.refusal);
  const { services } = context;
  const { method } = request;
  if (!hasKey(METHODS, method)) return toProblem(Refusal("method_not_allowed"));
  const { scope, answer } = METHODS[method];
  const token = parseToken(request.headers.get("Authorization"));
  const ownerId = await findOwner(token, context, scope);
  if (isProblem(ownerId)) return ownerId;
  const path = parseDavPath(encodedPath);
  if (isProblem(path)) return path;
  const client = createHash("sha256")
    .update(token ?? "")
    .digest("base64url");
  return answer({ request, context, services, ownerId, client, path, host, now: services.clock() });
}

/** Finds the owner of the token, sent as a password or a bearer. Sessions do not count, so no other site can make a browser write here. */
async function findOwner(
  token: string | null,
  { services: { bearers } }: RequestContext,
  scope: TokenScope,
): Promise<string | DavProblem> {
  const holder = token === null ? null : await bearers.findHolder(token);
  if (isRefusal(holder)) return toProblem(holder);
  if (!holder) return DavProblem(401, "Send an access token as the password.", { code: "auth_required" });
  if (scope === "write" && holder.scope !== "write") return toProblem(Refusal("read_only_token"));
  return holder.user.id;
}

const FOLDER_TEXT =
  "This is a folder. A WebDAV client lists it by PROPFIND; in a browser your files are at /files.\n";

async function answerRead({ request, services, ownerId, path, now }: DavCall): Promise<DavAnswer> {
  const resource = await findResource(services.db, ownerId, path, now);
  if (resource.kind === "missing") return notFound();
  if (resource.kind === "junk") return answerJunk(request, resource.junk);
  if (resource.kind === "folder")
    return new Response(request.method === "HEAD" ? null : FOLDER_TEXT, {
      headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "private, no-cache" },
    });
  const answer = orProblem(await answerText(services.db, request, resource.file, undefined));
  if (!(answer instanceof Response) || answer.status !== 416) return answer;
  return DavProblem(416, "The file does not have these bytes.", { code: "range_not_satisfiable" });
}

function answerJunk(request: Request, junk: JunkFile): Response {
  return new Response(request.method === "HEAD" ? null : Buffer.from(junk.bytes), {
    headers: {
      "Content-Type": "application/octet-stream",
      "Content-Length": String(junk.bytes.byteLength),
      "Last-Modified": junk.written_at.toUTCString(),
      "Cache-Control": "private, no-cache, no-transform",
      ETag: createJunkEtag(junk),
    },
  });
}
