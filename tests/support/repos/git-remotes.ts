/** Real git repositories to mirror, made by the tests, and a server that serves them over http as files. */
import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type GitRemote, makeRemote } from "#tests/support/repos/git-remote.ts";
import { listenHere } from "#tests/support/serve.ts";
import { afterwards } from "#tests/support/test-runs/afterwards.ts";

/** A repository with a working copy, at a path that ends in `owner/name`, removed after the file's tests. */
export function createRemote(name = "dana/tools", branch?: string): GitRemote {
  const root = mkdtempSync(join(tmpdir(), "codeshelf-remote-"));
  afterwards(() => rmSync(root, { recursive: true, force: true }));
  return makeRemote(root, name, branch);
}

/** Handles a request between git and the files; undefined lets the request through. */
type Gate = (
  request: IncomingMessage,
) => { status: number; headers?: Record<string, string> } | "cut" | "hang" | undefined;

type ServedRemote = { url: string; asked: IncomingMessage[]; gate: Gate };

/** Serves a remote over http, or https with a certificate, as a plain server of files does. */
export async function serveRemote(
  remote: GitRemote,
  tls?: { key: Buffer; cert: Buffer },
): Promise<ServedRemote> {
  const served: ServedRemote = { url: "", asked: [], gate: () => undefined };
  const answer: RequestListener = async (request, response) => {
    served.asked.push(request);
    const stopped = served.gate(request);
    if (stopped === "hang") return;
    if (typeof stopped === "object") return void response.writeHead(stopped.status, stopped.headers).end();
    remote.git("update-server-info");
    const [, , , ...rest] = new URL(request.url ?? "/", "http://127.0.0.1").pathname.split("/");
    try {
      const bytes = await readFile(join(remote.directory, ".git", ...rest.map(decodeURIComponent)));
      response.writeHead(200, { "Content-Length": bytes.length });
      response.write(stopped === "cut" ? bytes.subarray(0, bytes.length >> 1) : bytes);
      if (stopped === "cut") response.destroy();
      else response.end();
    } catch {
      response.writeHead(404).end();
    }
  };
  const server = tls ? createTlsServer(tls, answer) : createServer(answer);
  const url = await listenHere(server);
  afterwards(() => {
    server.closeAllConnections();
    server.close();
  });
  served.url = `${tls ? url.replace("http:", "https:") : url}/dana/tools.git`;
  return served;
}

type RawEntry = { mode: string; name: string | Buffer; hash: string };

/** Makes a tree of any entries, including those that git would not make. */
export function rawTree(remote: GitRemote, entries: readonly RawEntry[]): string {
  const parts = entries.flatMap(({ mode, name, hash }) => [
    Buffer.from(`${mode} `),
    Buffer.from(name),
    Buffer.from([0]),
    Buffer.from(hash, "hex"),
  ]);
  return remote.pipe(Buffer.concat(parts), "hash-object", "-t", "tree", "--literally", "-w", "--stdin");
}
