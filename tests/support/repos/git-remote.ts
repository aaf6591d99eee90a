import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

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
  /** Writes files, removes those that are null, and commits. Returns the commit. */
  commit(files: Record<string, string | Buffer | null>, message?: string): string;
};

let seconds = Date.UTC(2026, 0, 1) / 1000;

/** A repository with a working copy, at a path that ends in `owner/name`. The caller removes the root. */
export function makeRemote(root: string, name: string, branch = "main"): GitRemote {
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
