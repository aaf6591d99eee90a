import type { z } from "zod";
import { createEtag, matchesEtag } from "#app/web/answers/etag.ts";
import { recordFault, toFaultRefusal } from "#app/web/answers/faults.server.ts";
import { writeJsonParts } from "#app/web/answers/json-parts.ts";
import { answerParts } from "#app/web/answers/parts.ts";
import { toRefusalResponse } from "#app/web/answers/replies.server.ts";
import { readBytes, readJson } from "#app/web/door/body.server.ts";
import type { RequestContext, WebServices } from "#app/web/request-context.ts";
import { requireAdminCaller, requireCaller } from "#app/web/session/gates.server.ts";
import type { SignedIn } from "#app/web/session/session.ts";
import { isRefusal, Refusal, type RefusalCode } from "#domain/refusal.ts";
import { checkBySchema } from "#domain/schema.ts";

/**
 * The JSON API is a table: one row per method and path with who may call it, what it takes and what it does. The executor below treats
 * every row alike: 404 and 405 with Allow, HEAD for every GET, ETag and 304, refusals with their status, and a log line and `{error:
 * "internal"}` for any other error.
 */
type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type Gate = "public" | "user" | "admin";
type FailureFlag = "ok" | "success";

/** The names after the colons of a path; a name after an asterisk takes the remainder of the path with its slashes. */
type PathParams<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Record<Name, string> & PathParams<`/${Rest}`>
  : Path extends `${string}:${infer Name}` | `${string}/*${infer Name}`
    ? Record<Name, string>
    : Record<never, string>;

/** A body that its row takes as bytes. `json` describes JSON that the row parses itself; `type` is its media type otherwise. */
type RawBody = { rawMaxBytes: number; json?: z.ZodType; type?: MediaType };
/** A JSON body that its row reads itself: after a check of its own, with its own limit, or to refuse with more detail than the schema. */
export type DeferredBody<Schema extends z.ZodType = z.ZodType> = { deferred: Schema; maxBytes?: number };
export type BodySpec = z.ZodType | RawBody | DeferredBody | undefined;
type MediaType = `${string}/${string}`;
/** The successful answers by status: the shape of the JSON, a media type, or nothing. */
export type Returns = Readonly<Record<number, z.ZodType | MediaType | null>>;
type ParsedBody<Body> = Body extends z.ZodType
  ? z.output<Body>
  : Body extends RawBody
    ? Uint8Array
    : Body extends DeferredBody<infer Schema>
      ? () => Promise<z.output<Schema> | Refusal>
      : undefined;
type ParsedQuery<Query> = Query extends z.ZodType ? z.output<Query> : undefined;

export type Call<Path extends string, G extends Gate, Query, Body> = {
  request: Request;
  context: RequestContext;
  services: WebServices;
  params: PathParams<Path>;
  query: ParsedQuery<Query>;
  body: ParsedBody<Body>;
  signedIn: G extends "public" ? null : SignedIn;
};

export type Condition = "If-Match" | "If-None-Match" | "If-Unmodified-Since";

type Row<Path extends string, G extends Gate, Query, Body> = {
  method: Method;
  path: Path;
  gate: G;
  summary: string;
  description?: string;
  conditions?: readonly Condition[];
  query?: Query;
  body?: Body;
  returns: Returns;
  /** The refusal codes that do not follow from its gate, path and input. */
  refuses?: readonly RefusalCode[];
  /** Fields added to every refusal and fault, the gate's too, unless the refusal sets them. */
  onFailure?: Record<string, unknown>;
  answer(call: Call<Path, G, Query, Body>): Promise<Response | Refusal | object>;
};

// biome-ignore lint/suspicious/noExplicitAny: a table of rows forgets each row's own types; the executor checks at run time
export type Endpoint = Row<any, Gate, any, any>;

export function endpoint<
  const Path extends string,
  const G extends Gate,
  Query extends z.ZodType | undefined = undefined,
  Body extends BodySpec = undefined,
>(row: Row<Path, G, Query, Body>): Endpoint {
  return row;
}

export function withFailureFlag(failureFlag: FailureFlag, rows: readonly Endpoint[]): Endpoint[] {
  return rows.map((row) => ({ ...row, onFailure: { [failureFlag]: false, ...row.onFailure } }));
}

type Api = (request: Request, context: RequestContext) => Promise<Response>;

export function createApi(rows: readonly Endpoint[]): Api {
  const table = rows.map((row) => {
    const segments = String(row.path).split("/").slice(1);
    return { row, segments, rank: segments.map(rankSegment).join("") };
  });
  const byNoun = Map.groupBy(table, ({ segments }) => segments[NOUN]);

  return async (request, context) => {
    const segments = new URL(request.url).pathname.split("/").slice(1);
    const matches = (byNoun.get(segments[NOUN]) ?? []).flatMap(({ row, rank, segments: pattern }) => {
      const params = matchParams(pattern, segments);
      return params ? [{ row, rank, params }] : [];
    });
    const best = matches.reduce((highest, { rank }) => (rank > highest ? rank : highest), "");
    const bestMatches = matches.filter(({ rank }) => rank === best);
    const method = request.method === "HEAD" ? "GET" : request.method;
    const match = bestMatches.find(({ row }) => row.method === method);
    const first = match ?? bestMatches[0];
    if (context.refusal) return addFailureFlag(first?.row, toRefusalResponse(context.refusal));
    if (!first) return toRefusalResponse(Refusal("not_found"));
    if (!match) {
      const headers = { Allow: listAllowed(bestMatches.map(({ row }) => row)) };
      return addFailureFlag(first.row, toRefusalResponse(Refusal("method_not_allowed"), headers));
    }
    context.pattern = match.row.path;
    return withErrorHandling(match.row, context, () => callRow(match.row, match.params, request, context));
  };
}

/** The index of the segment that names the noun, such as `files` in `/api/files`. No row has a parameter there. */
const NOUN = 1;

/** If several paths match, a fixed segment wins over a parameter, and a parameter over a wildcard. Only the best rows answer. */
const rankSegment = (part: string) => (part.startsWith("*") ? 0 : part.startsWith(":") ? 1 : 2);

function listAllowed(rows: Endpoint[]): string {
  return rows.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", ");
}

function matchParams(pattern: string[], segments: string[]): Record<string, string> | null {
  const endsInWildcard = pattern.at(-1)?.startsWith("*");
  if (endsInWildcard ? segments.length < pattern.length : segments.length !== pattern.length) return null;
  const params: Record<string, string> = {};
  for (const [i, part] of pattern.entries()) {
    if (!/^[:*]/.test(part)) {
      if (part !== segments[i]) return null;
      continue;
    }
    const value = decodeSegment(part.startsWith("*") ? segments.slice(i).join("/") : (segments[i] ?? ""));
    if (!value) return null;
    params[part.slice(1)] = value;
  }
  return params;
}

function decodeSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

const GATES: Record<
  Gate,
  (routeArguments: { request: Request; context: RequestContext }) => Promise<SignedIn | null>
> = {
  public: async () => null,
  user: requireCaller,
  admin: requireAdminCaller,
};

async function callRow(
  row: Endpoint,
  params: Record<string, string>,
  request: Request,
  context: RequestContext,
): Promise<Response> {
  const signedIn = await GATES[row.gate]({ request, context });
  const query = row.query ? checkQuery(row.query, request) : undefined;
  if (isRefusal(query)) return toRefusalResponse(query);
  const body = await readBody(row.body, request);
  if (isRefusal(body)) return toRefusalResponse(body);
  const call = { request, context, services: context.services, params, query, body, signedIn };
  const answer = await row.answer(call);
  if (answer instanceof Response) return answer;
  if (isRefusal(answer)) return toRefusalResponse(answer);
  const parts = await writeJsonParts(answer);
  if (request.method === "GET" || request.method === "HEAD") return answerWithEtag(request, parts);
  return answerParts(parts, { headers: { "Content-Type": "application/json" } });
}

function checkQuery(schema: z.ZodType, request: Request): unknown | Refusal {
  const parameters = checkBySchema(
    schema,
    Object.fromEntries(new URL(request.url).searchParams),
    "parameter",
  );
  return isRefusal(parameters) ? Refusal("invalid_query", parameters.context) : parameters;
}

async function readBody(spec: BodySpec, request: Request): Promise<unknown | Refusal> {
  if (spec === undefined) return undefined;
  if ("rawMaxBytes" in spec) return readBytes(request, spec.rawMaxBytes);
  if ("deferred" in spec) return () => readChecked(request, spec.deferred, spec.maxBytes);
  return readChecked(request, spec);
}

async function readChecked(request: Request, schema: z.ZodType, maxBytes?: number): Promise<unknown> {
  const json = await readJson(request, maxBytes);
  return isRefusal(json) ? json : checkBySchema(schema, json);
}

function answerWithEtag(request: Request, parts: Buffer[]): Response {
  const headers = {
    ETag: createEtag(...parts),
    "Cache-Control": "private, no-cache",
    "Content-Type": "application/json",
  };
  const unchanged = matchesEtag(request.headers.get("If-None-Match"), headers.ETag);
  return unchanged ? new Response(null, { status: 304, headers }) : answerParts(parts, { headers });
}

async function withErrorHandling(
  row: Endpoint,
  context: RequestContext,
  call: () => Promise<Response>,
): Promise<Response> {
  return addFailureFlag(row, await answerCall(row, context, call));
}

async function answerCall(
  row: Endpoint,
  context: RequestContext,
  call: () => Promise<Response>,
): Promise<Response> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof Response) return error;
    return toRefusalResponse(toFaultRefusal(recordFault(context, row.method, error)));
  }
}

async function addFailureFlag(row: Endpoint | undefined, answer: Response): Promise<Response> {
  const onFailure = row?.onFailure;
  const isRefused =
    answer.status >= 400 && answer.headers.get("Content-Type")?.startsWith("application/json");
  if (!onFailure || !isRefused) return answer;
  const { status, headers } = answer;
  const body = { ...onFailure, ...(await answer.json()) };
  return new Response(JSON.stringify(body), { status, headers });
}
