import { type LookupAddress, type LookupAllOptions, lookup } from "node:dns";
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { isPublicAddress } from "#platform/outbound/public-address.ts";

/**
 * Requests to addresses from users. Only https to public addresses is allowed. The check happens when connecting, on the
 * address that is connected to, so a name cannot resolve to another address after the check. Redirects are not followed, and a
 * single time limit covers the whole request.
 */
type OutboundRule = {
  /** Also allows `http://127.0.0.1:<port>/…`, for tests. */
  allowLoopback: boolean;
};

type OutboundRequest = {
  url: string;
  method: "GET" | "POST" | "PUT";
  headers: Record<string, string | number>;
  body?: Uint8Array;
  timeoutMs: number;
  /** Longer answers are aborted. */
  maxAnswerBytes: number;
  signal?: AbortSignal;
};

export type OutboundAnswer = { status: number; headers: IncomingMessage["headers"]; body: Buffer };
export type Outbound = { ask(request: OutboundRequest): Promise<OutboundAnswer>; close(): void };

/** The address is not allowed. Logs get the code only, because the address may be a secret. */
export class OutboundRefused extends Error {
  override name = "OutboundRefused";
  readonly code = "address_refused";
}

const LOOPBACK = "127.0.0.1";
const LOCAL_NAME = /(^|\.)(localhost|local|internal|home\.arpa)\.?$/i;
const IDLE_SOCKETS = 32;

/** Checks an address without the network. Connecting may still find that a name resolves to a private address. */
export function isOutboundUrl(text: string, { allowLoopback }: OutboundRule): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  const host = toHost(url);
  if (url.username !== "" || url.password !== "") return false;
  if (allowLoopback && url.protocol === "http:" && host === LOOPBACK) return true;
  if (url.protocol !== "https:") return false;
  if (isIP(host)) return isPublicAddress(host);
  return host.includes(".") && !LOCAL_NAME.test(host);
}

const toHost = (url: URL) => url.hostname.replace(/^\[(.*)\]$/, "$1");

type ResolveCallback = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;
export type Resolve = (hostname: string, options: LookupAllOptions, callback: ResolveCallback) => void;

function createPublicLookup(resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, resolved) => {
      if (error) return callback(error, "");
      const addresses = resolved.filter(({ address }) => isPublicAddress(address));
      const [first] = addresses;
      if (!first) return callback(new OutboundRefused("The name stands for no public address"), "");
      if (options.all) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };
}

export function createOutbound(rule: OutboundRule, resolve: Resolve = lookup): Outbound {
  const agentOptions = { keepAlive: true, maxFreeSockets: IDLE_SOCKETS };
  const https = new HttpsAgent({ ...agentOptions, lookup: createPublicLookup(resolve) });
  const http = new HttpAgent(agentOptions);
  return {
    ask: async (call) => {
      if (!isOutboundUrl(call.url, rule)) throw new OutboundRefused("The address is not a public one");
      const { url, method, headers } = call;
      const limit = AbortSignal.timeout(call.timeoutMs);
      const signal = call.signal ? AbortSignal.any([limit, call.signal]) : limit;
      const request = url.startsWith("https:")
        ? httpsRequest(url, { method, headers, signal, agent: https })
        : httpRequest(url, { method, headers, signal, agent: http });
      return readAnswer(request, call);
    },
    close: () => {
      https.destroy();
      http.destroy();
    },
  };
}

function readAnswer(
  request: ReturnType<typeof httpRequest>,
  { body, maxAnswerBytes }: OutboundRequest,
): Promise<OutboundAnswer> {
  return new Promise((resolveAnswer, reject) => {
    request.on("error", reject);
    request.on("response", (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      response.on("error", reject);
      response.on("data", (chunk: Buffer) => {
        length += chunk.length;
        if (length <= maxAnswerBytes) chunks.push(chunk);
        else request.destroy(Object.assign(new Error("The answer is too long"), { code: "answer_too_long" }));
      });
      response.on("end", () => {
        const { statusCode = 0, headers } = response;
        resolveAnswer({ status: statusCode, headers, body: Buffer.concat(chunks) });
      });
    });
    request.end(body);
  });
}
