/** Serves a remote as hosts do, by git's own http program and its protocol. */
import { spawn } from "node:child_process";
import type { IncomingMessage, ServerResponse } from "node:http";
import { dirname } from "node:path";
import type { GitRemote } from "#tests/support/repos/git-remote.ts";
import { serve } from "#tests/support/serve.ts";

export const serveByGit = async (remote: GitRemote): Promise<string> =>
  `${await serve((request, response) => void answer(remote, request, response))}/tools`;

async function answer(remote: GitRemote, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, search } = new URL(request.url ?? "/", "http://127.0.0.1");
  const {
    "content-type": type = "",
    "content-encoding": encoding = "",
    "git-protocol": protocol = "",
  } = request.headers;
  const child = spawn("git", ["http-backend"], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: dirname(remote.directory),
      GIT_HTTP_EXPORT_ALL: "1",
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: type,
      HTTP_CONTENT_ENCODING: encoding,
      HTTP_GIT_PROTOCOL: String(protocol),
    } as unknown as NodeJS.ProcessEnv,
    stdio: ["pipe", "pipe", "ignore"],
  });
  request.pipe(child.stdin);
  const chunks: Buffer[] = [];
  for await (const chunk of child.stdout) chunks.push(chunk as Buffer);
  const output = Buffer.concat(chunks);
  const end = output.indexOf("\r\n\r\n");
  const headers = new Map(
    output
      .subarray(0, end)
      .toString("latin1")
      .split("\r\n")
      .map((line) => line.split(/: (.*)/s) as [string, string]),
  );
  const status = Number.parseInt(headers.get("Status") ?? "200", 10);
  headers.delete("Status");
  response.writeHead(status, Object.fromEntries(headers));
  response.end(output.subarray(end + 4));
}
