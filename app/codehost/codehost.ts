import { z } from "zod";
import { type AskHost, type HostTree, readHostTree, type TreePlace } from "#app/codehost/host-tree.ts";
import { parseJsonOrNull } from "#domain/parse-json.ts";
import { Refusal, type RefusalCode } from "#domain/refusal.ts";
import { SECOND_MS } from "#domain/time/durations.ts";
import type { Log } from "#platform/log.ts";
import {
  createOutbound,
  type Outbound,
  type OutboundAnswer,
  type Resolve,
} from "#platform/outbound/outbound.ts";
import { readError } from "#platform/read-error.ts";

/** The code host's REST API, in the shape of GitHub's: the rate limit, a branch's tree, a gist, and a commit of one file. */
export type Codehost = {
  apiUrl: string | null;
  /** The remaining requests; null if the host does not report them. */
  rateLimit(token: string): Promise<RateLimit | Refusal>;
  readTree(token: string, place: TreePlace): Promise<HostTree | Refusal>;
  /** The host's answer for a gist; without a token, what is public. */
  readGist(token: string | null, id: string): Promise<unknown>;
  commitFile(token: string, file: FileToCommit): Promise<Committed | Refusal>;
  close(): void;
};

type RateLimit = { remaining: number | null; resetAt: Date | null };
type FileToCommit = {
  owner: string;
  name: string;
  branch: string;
  path: string;
  body: string;
  message: string;
};
export type Committed = { commit: string; created: boolean };

const CODEHOST_TIMEOUT_MS = 10 * SECOND_MS;
const ANSWER_MAX_BYTES = 8 * 1024 * 1024;
const RETRY_SECONDS = 60;
/** A repository without commits has no tree, which the host reports as a conflict. */
const WITHOUT_COMMITS = { tree: [] };

const rateAnswer = z.object({
  resources: z.object({ core: z.object({ remaining: z.number().int().min(0), reset: z.number() }) }),
});
const contentAnswer = z.object({ type: z.literal("file"), sha: z.string() });
const commitAnswer = z.object({ commit: z.object({ sha: z.string() }) });

type CodehostOptions = {
  apiUrl: string | null;
  allowLocal: boolean;
  log: Log;
  timeoutMs?: number;
  resolve?: Resolve;
};

export function createCodehost({
  apiUrl,
  allowLocal,
  log,
  timeoutMs = CODEHOST_TIMEOUT_MS,
  resolve,
}: CodehostOptions): Codehost {
  const outbound = createOutbound({ allowLoopback: allowLocal }, resolve);
  const call = createCaller({ apiUrl, outbound, log, timeoutMs });
  return {
    apiUrl,
    rateLimit: async (token) => {
      const answer = await call(token, "GET", "/rate_limit");
      if ("refused" in answer) return answer;
      // A host without limits answers 404.
      if (answer.status === 404) return { remaining: null, resetAt: null };
      const parsed = rateAnswer.safeParse(parseAnswer(answer));
      if (answer.status !== 200 || !parsed.success) return toRefusal(answer);
      const { remaining, reset } = parsed.data.resources.core;
      return { remaining, resetAt: new Date(reset * SECOND_MS) };
    },
    readTree: (token, place) => {
      const ask: AskHost = async (path) => {
        const answer = await call(token, "GET", path);
        if ("refused" in answer) return answer;
        if (answer.status === 409) return WITHOUT_COMMITS;
        return answer.status === 200 ? parseAnswer(answer) : toRefusal(answer);
      };
      return readHostTree(ask, place);
    },
    readGist: async (token, id) => {
      const answer = await call(token, "GET", `/gists/${encodeURIComponent(id)}`);
      if ("refused" in answer) return answer;
      if (answer.status === 404) return Refusal("gist_not_found");
      return answer.status === 200 ? parseAnswer(answer) : toRefusal(answer);
    },
    commitFile: async (token, file) => {
      const address = contentsPath(file);
      const current = await call(token, "GET", `${address}?ref=${encodeURIComponent(file.branch)}`);
      if ("refused" in current) return current;
      const currentFile = contentAnswer.safeParse(parseAnswer(current));
      if (current.status === 200 && !currentFile.success) return Refusal("codehost_rejected");
      if (current.status !== 200 && current.status !== 404) return toRefusal(current);
      const commit = await call(token, "PUT", address, {
        message: file.message,
        content: Buffer.from(file.body, "utf8").toString("base64"),
        branch: file.branch,
        ...(currentFile.success ? { sha: currentFile.data.sha } : {}),
      });
      if ("refused" in commit) return commit;
      const parsed = commitAnswer.safeParse(parseAnswer(commit));
      if (![200, 201].includes(commit.status) || !parsed.success) return toRefusal(commit);
      return { commit: parsed.data.commit.sha, created: commit.status === 201 };
    },
    close: () => outbound.close(),
  };
}

function contentsPath({ owner, name, path }: FileToCommit): string {
  const inside = path.split("/").map(encodeURIComponent).join("/");
  return `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}/contents/${inside}`;
}

type CallOptions = { apiUrl: string | null; outbound: Outbound; log: Log; timeoutMs: number };

function createCaller({ apiUrl, outbound, log, timeoutMs }: CallOptions) {
  return async (
    token: string | null,
    method: "GET" | "PUT",
    path: string,
    json?: object,
  ): Promise<OutboundAnswer | Refusal> => {
    if (apiUrl === null) return Refusal("codehost_not_configured");
    const body = json && Buffer.from(JSON.stringify(json));
    const headers = {
      Accept: "application/vnd.github+json",
      ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
      "User-Agent": "codeshelf",
      "X-GitHub-Api-Version": "2022-11-28",
      ...(body ? { "Content-Type": "application/json", "Content-Length": body.length } : {}),
    };
    const url = apiUrl + path;
    try {
      return await outbound.ask({ url, method, headers, body, timeoutMs, maxAnswerBytes: ANSWER_MAX_BYTES });
    } catch (error) {
      const { name, code } = readError(error);
      log.warn("codehost_failed", { name, code });
      return Refusal(
        name === "AbortError" || name === "TimeoutError" ? "codehost_timeout" : "codehost_failed",
      );
    }
  };
}

const BY_STATUS: Record<number, RefusalCode> = {
  401: "codehost_denied",
  403: "codehost_denied",
  404: "codehost_not_found",
  409: "codehost_conflict",
  422: "codehost_rejected",
};

/** Translates the host's answer. A reached limit comes as 429, or as 403 with no requests left. */
function toRefusal({ status, headers, body }: OutboundAnswer): Refusal {
  const isLimited = status === 429 || (status === 403 && headers["x-ratelimit-remaining"] === "0");
  if (isLimited) return toRateRefusal(Number(headers["retry-after"]) || RETRY_SECONDS);
  // Another commit has created the file since, so the host demands the hash of the file to replace.
  if (status === 422 && /\bsha\W+wasn't supplied/.test(body.toString("utf8")))
    return Refusal("codehost_conflict");
  return Refusal(BY_STATUS[status] ?? "codehost_failed");
}

export const toRateRefusal = (retry_after: number) => Refusal("codehost_rate_limited", { retry_after });

const parseAnswer = ({ body }: OutboundAnswer): unknown => parseJsonOrNull(body.toString("utf8"));
