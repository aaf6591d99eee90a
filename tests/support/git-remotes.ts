/** Real git repositories to mirror, made by the tests, and a server that hands them out over http as files. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterwards } from "#tests/support/afterwards.ts";

const AUTHOR = {
  GIT_AUTHOR_NAME: "Dana",
  GIT_AUTHOR_EMAIL: "dana@example.com",
  GIT_COMMITTER_NAME: "Dana",
  GIT_COMMITTER_EMAIL: "dana@example.com",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
};

export type GitRemote = {
  directory: string;
  url: string;
  git(...args: string[]): string;
  /** Pipes bytes into git, for trees and blobs that no working copy could make. */
  pipe(input: string | Buffer, ...args: string[]): string;
  /** Writes and removes files and commits; null removes. Answers the commit. */
  commit(files: Record<string, string | Buffer | null>, message?: string): string;
};

let seconds = Date.UTC(2026, 0, 1) / 1000;

/** A repository with a working copy, at a path that ends in `owner/name`. */
export function createRemote(name = "dana/tools", branch = "main"): GitRemote {
  const root = mkdtempSync(join(tmpdir(), "codeshelf-remote-"));
  afterwards(() => rmSync(root, { recursive: true, force: true }));
  const directory = join(root, name);
  mkdirSync(directory, { recursive: true });
  const pipe = (input: string | Buffer, ...args: string[]) =>
    execFileSync("git", args, {
      cwd: directory,
      input,
      env: {
        PATH: process.env.PATH,
        ...AUTHOR,
        GIT_AUTHOR_DATE: `${seconds} +0000`,
        GIT_COMMITTER_DATE: `${seconds} +0000`,
      } as unknown as NodeJS.ProcessEnv,
      maxBuffer: 100_000_000,
      stdio: ["pipe", "pipe", "pipe"],
    })
      .toString("utf8")
      .trim();
  const git = (...args: string[]) => pipe("", ...args);
  git("init", "--quiet", `--initial-branch=${branch}`);
  return {
    directory,
    url: pathToFileURL(directory).href,
    git,
    pipe,
    commit: (files, message = "Change something") => {
      seconds += 60;
      for (const [path, body] of Object.entries(files)) {
        if (body === null) {
          rmSync(join(directory, path));
          continue;
        }
        mkdirSync(dirname(join(directory, path)), { recursive: true });
        writeFileSync(join(directory, path), body);
      }
      git("add", "--all");
      git("commit", "--quiet", "--allow-empty", "-m", message);
      return git("rev-parse", "HEAD");
    },
  };
}

/** Stands between git and the files: what it does instead of answering, or undefined to let the request through. */
export type Gate = (
  request: IncomingMessage,
) => { status: number; headers?: Record<string, string> } | "cut" | "hang" | undefined;

export type ServedRemote = { url: string; asked: IncomingMessage[]; gate: Gate };

/** Serves a remote over http, or https where it has a certificate, as a plain server of files does. */
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
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  afterwards(() => {
    server.closeAllConnections();
    server.close();
  });
  served.url = `${tls ? "https" : "http"}://127.0.0.1:${(server.address() as AddressInfo).port}/dana/tools.git`;
  return served;
}

type RawEntry = { mode: string; name: string | Buffer; hash: string };

/** A tree of any entries whatever, which git itself would not make. */
export function rawTree(remote: GitRemote, entries: readonly RawEntry[]): string {
  const parts = entries.flatMap(({ mode, name, hash }) => [
    Buffer.from(`${mode} `),
    Buffer.from(name),
    Buffer.from([0]),
    Buffer.from(hash, "hex"),
  ]);
  return remote.pipe(Buffer.concat(parts), "hash-object", "-t", "tree", "--literally", "-w", "--stdin");
}
