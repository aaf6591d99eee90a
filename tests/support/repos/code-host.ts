/** A code host's REST API on loopback, with the parts of GitHub's API that the product uses, and its refusals. */

import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { required } from "#domain/required.ts";
import { serve } from "#tests/support/serve.ts";

type Asked = { method: string; path: string; authorization: string; body: Record<string, unknown> };
export type Answer = { status: number; json?: unknown; headers?: Record<string, string> };
/** The host's behaviour instead of answers to the next requests. */
type Mood = "silent" | "cut" | ((asked: Asked) => Answer | undefined);

type CodeHost = {
  url: string;
  asked: Asked[];
  files: Map<string, string>;
  mood: Mood | null;
  remaining: number;
  /** The limit of entries in the list of a whole tree. */
  listed: number;
};

export const TOKEN = "host-token-of-tests";

export async function openCodeHost(): Promise<CodeHost> {
  const host: CodeHost = {
    url: "",
    asked: [],
    files: new Map(),
    mood: null,
    remaining: 5_000,
    listed: 100_000,
  };
  host.url = await serve(async (request, response) => {
    const call = await read(request);
    host.asked.push(call);
    if (host.mood === "silent") return;
    if (host.mood === "cut") {
      response.writeHead(200, { "Content-Length": 1_000 });
      response.write('{"resources":');
      return void response.destroy();
    }
    send(response, host.mood?.(call) ?? answer(host, call));
  });
  return host;
}

async function read(request: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  const { method = "", url = "", headers } = request;
  const body = text === "" ? {} : JSON.parse(text);
  return { method, path: url, authorization: headers.authorization ?? "", body };
}

function send(response: ServerResponse, { status, json, headers }: Answer): void {
  response.writeHead(status, { "Content-Type": "application/json", ...headers });
  response.end(JSON.stringify(json ?? { message: "no" }));
}

const toSha = (content: string) => createHash("sha1").update(content).digest("hex");

function answer(host: CodeHost, { method, path, authorization, body }: Asked): Answer {
  if (authorization !== `Bearer ${TOKEN}`) return { status: 401, json: { message: "Bad credentials" } };
  if (path === "/rate_limit") {
    const core = { limit: 5_000, remaining: host.remaining, reset: Date.UTC(2037, 10, 14, 12, 1) / 1_000 };
    return { status: 200, json: { resources: { core } } };
  }
  const tree = /^\/repos\/([^/]+\/[^/]+)\/git\/trees\/([^?]+)(\?recursive=1)?$/.exec(path);
  if (tree)
    return buildTree(host, required(tree[1]), decodeURIComponent(required(tree[2])), tree[3] !== undefined);
  const name = /^\/repos\/([^?]+\/contents\/[^?]+)/.exec(path)?.[1];
  if (name === undefined) return { status: 404 };
  const content = host.files.get(name);
  if (method === "GET")
    return content === undefined
      ? { status: 404 }
      : { status: 200, json: { type: "file", sha: toSha(content) } };
  if (content !== undefined && body.sha === undefined)
    return { status: 422, json: { message: 'Invalid request.\n\n"sha" wasn\'t supplied.' } };
  if (content !== undefined && body.sha !== toSha(content)) return { status: 409 };
  host.files.set(name, String(body.content));
  return {
    status: content === undefined ? 201 : 200,
    json: { commit: { sha: toSha(String(body.content)) } },
  };
}

const FOLDER_SHA = "folder ";

/** A tree by its hash, which here derives from its path, or the root by any branch name. */
function buildTree(host: CodeHost, repo: string, ref: string, recursive: boolean): Answer {
  const before = `${repo}/contents/`;
  const paths = [...host.files.keys()]
    .filter((key) => key.startsWith(before))
    .map((key) => decodeURIComponent(key.slice(before.length)));
  if (paths.length === 0) return { status: 409, json: { message: "Git Repository is empty." } };
  const root = ref.startsWith(FOLDER_SHA) ? `${ref.slice(FOLDER_SHA.length)}/` : "";
  const entries = new Map<string, object>();
  for (const path of paths.filter((file) => file.startsWith(root))) {
    const parts = path.slice(root.length).split("/");
    for (let i = 1; i <= (recursive ? parts.length : 1); i += 1) {
      const dir = parts.slice(0, i).join("/");
      const isFile = i === parts.length;
      const sha = isFile ? toSha(path) : `${FOLDER_SHA}${root}${dir}`;
      entries.set(dir, { path: dir, type: isFile ? "blob" : "tree", sha });
    }
  }
  const tree = [...entries.values()].slice(0, recursive ? host.listed : undefined);
  return { status: 200, json: { sha: "root", tree, truncated: tree.length < entries.size } };
}
