import { setTimeout as pause } from "node:timers/promises";
import { cleanName, describeStart, EXIT, Failure, failure, type Output } from "./output.ts";

export type Session = { address: string; token: string; output: Output };
export const VERSION = "0.1.0";
const REQUEST_TIMEOUT_MS = 60_000;

type RequestOptions = {
  query?: Record<string, string | undefined>;
  body?: Uint8Array | FormData;
  json?: unknown;
  headers?: Record<string, string>;
  allow?: number[];
  timeoutMs?: number;
  isRepeatable?: boolean;
};

// biome-ignore lint/suspicious/noExplicitAny: what a server answers is checked where it is read
export type Json = any;
export type RefusalBody = { error?: string; code?: string; message?: string; [context: string]: unknown };
const BUSY_ATTEMPTS = 4;
const LIMITED_ATTEMPTS = 10;
const LOST_ATTEMPTS = 3;
const WAIT_MAX_SECONDS = 120;

/** Asking again changes nothing about these. */
const LASTING_REFUSALS = ["execution_disabled", "push_not_configured", "codehost_not_configured"];

/**
 * One request. It is sent again where the server is busy or has had too many, and where a connection is lost before the answer of
 * a request that can be repeated. A refusal is thrown with the server's message, unless its status is allowed.
 */
export async function send(session: Session, method: string, path: string, options: RequestOptions = {}) {
  for (let attempt = 1; ; attempt += 1) {
    const response = await sendOnce(session, method, path, options, attempt);
    if (!response) continue;
    if (response.ok || options.allow?.includes(response.status)) return response;
    const refusal = await readRefusal(response);
    const header = response.headers.get("Retry-After") ?? "";
    const isLasting = LASTING_REFUSALS.includes(String(refusal.code));
    const seconds = isLasting
      ? null
      : computeRetryDelay(response.status, /^\d{1,6}$/.test(header) ? Number(header) : null, attempt);
    if (seconds === null) throw toFailure(session, response, refusal);
    if (seconds >= 1)
      session.output.showProgress(`The server is busy; trying again in ${Math.ceil(seconds)} s`);
    await pause(seconds * 1000);
  }
}

/** Null where the connection was lost and the request is to be sent again. */
async function sendOnce(
  session: Session,
  method: string,
  path: string,
  options: RequestOptions,
  attempt: number,
) {
  const url = new URL(session.address + path);
  for (const [name, value] of Object.entries(options.query ?? {}))
    if (value !== undefined) url.searchParams.set(name, value);
  const body = options.json === undefined ? options.body : JSON.stringify(options.json);
  try {
    return await fetch(url, {
      method,
      body: body as BodyInit | undefined,
      redirect: "manual",
      signal: AbortSignal.timeout(options.timeoutMs ?? REQUEST_TIMEOUT_MS),
      headers: {
        Accept: "application/json, text/plain",
        Authorization: `Bearer ${session.token}`,
        "User-Agent": `codeshelf/${VERSION}`,
        ...(options.json === undefined ? {} : { "Content-Type": "application/json" }),
        ...options.headers,
      },
    });
  } catch (error) {
    const cause = findCause(error);
    const isLasting = /ENOTFOUND|ECONNREFUSED|CERT|TimeoutError/.test(cause.code);
    const isRepeatable = options.isRepeatable ?? method !== "POST";
    if (!isRepeatable || isLasting || attempt >= LOST_ATTEMPTS)
      throw new Failure(EXIT.network, "network", `${session.address} cannot be reached: ${cause.message}`);
    await pause(250 * 2 ** attempt);
    return null;
  }
}

function findCause(error: unknown) {
  const outer = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const inner = outer instanceof AggregateError ? outer.errors[0] : outer;
  const cause = inner as { code?: unknown; name?: unknown; message?: unknown };
  return { code: String(cause.code ?? cause.name), message: cleanName(String(cause.message || cause.code)) };
}

async function readRefusal(response: Response): Promise<RefusalBody> {
  try {
    const body = JSON.parse(await response.text());
    return typeof body === "object" && body !== null ? body : {};
  } catch {
    return {};
  }
}

/** Seconds until what was refused is worth sending again; null where it is not. */
export function computeRetryDelay(status: number, retryAfter: number | null, attempt: number): number | null {
  if (status !== 429 && status !== 503) return null;
  if (attempt >= (status === 429 ? LIMITED_ATTEMPTS : BUSY_ATTEMPTS)) return null;
  const seconds = retryAfter ?? 2 ** (attempt - 2);
  // Spreads clients that were refused at the same moment.
  return seconds > WAIT_MAX_SECONDS ? null : seconds + Math.random() * 0.25;
}

export function toFailure(session: Session, response: Response | { status: number }, refusal: RefusalBody) {
  const { error, code, message, ...context } = refusal;
  if (response.status === 401)
    return new Failure(
      EXIT.notLoggedIn,
      String(code ?? "auth_required"),
      `${session.address} does not accept the token. It may have expired. Run: ${describeStart()} login ${session.address}`,
    );
  if (response instanceof Response && response.status >= 300 && response.status < 400) {
    const to = response.headers.get("Location") ?? "another address";
    return failure("redirected", `${session.address} redirects to ${cleanName(to)}. Log in there.`);
  }
  const sentence = message ?? error;
  if (typeof sentence !== "string")
    return failure(
      "unexpected_answer",
      `${session.address} answered ${response.status} and gave no reason. Is it Codeshelf?`,
    );
  return failure(String(code ?? error), cleanName(sentence), { ...context, status: response.status });
}

export async function sendForJson(
  session: Session,
  method: string,
  path: string,
  options?: RequestOptions,
): Promise<Json> {
  const response = await send(session, method, path, options);
  return parseAnswer(session, await response.text().catch(() => ""));
}

export function parseAnswer(session: Session, text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    throw unexpectedAnswer(session);
  }
}

export const unexpectedAnswer = ({ address }: Session) =>
  failure("unexpected_answer", `${address} answered with something else than JSON. Is it Codeshelf?`);

export function throwLost(error: unknown): never {
  throw new Failure(EXIT.network, "network", `The connection was lost: ${findCause(error).message}`);
}
