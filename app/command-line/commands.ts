import { CODE_LIMITS } from "#domain/code-runs/code-run.ts";
import type { Command, OptionSpec } from "./command.ts";
import { completion, paths } from "./completion.ts";
import { cat, listFolder, note, openPage, search, share } from "./look.ts";
import { pull, push } from "./push-and-pull.ts";
import { run } from "./run.ts";
import { login, logout } from "./session.ts";
import { sync } from "./sync/sync.ts";

const describeLimits = (usual: number, most: number) => `${usual} by default, ${most} at most`;
export const flag = (help: string, short?: string): OptionSpec => ({ type: "boolean", help, short });
const takes = (value: string, help: string): OptionSpec => ({ type: "string", help, value });

const WHAT_IS_SKIPPED: Record<string, OptionSpec> = {
  all: flag("also what .gitignore and .codeshelfignore leave out"),
  verbose: flag("name what is skipped, and why", "v"),
};

export const COMMANDS: Record<string, Command> = {
  login: {
    usage: "login <address>",
    summary: "Log in to a server with a token",
    more: "The token is asked for, or read from standard input or from CODESHELF_TOKEN. It is stored where only you can read it.\nCreate one at <address>/settings/tokens.",
    act: login,
  },
  logout: { usage: "logout", summary: "Forget the server and the token", act: logout },
  push: {
    usage: "push <paths…>",
    summary: "Save files and whole folders in the library",
    options: {
      to: takes("folder", "the folder of the library to save them in"),
      name: takes("path", "with “-” alone: what to call what is piped in"),
      ...WHAT_IS_SKIPPED,
    },
    more: "Paths are kept as they are seen from the current folder. Of a folder, what .gitignore and .codeshelfignore name, binary files, what tools leave behind and what may hold secrets (.env, *.pem, id_rsa, …) are skipped; a file that is named is saved or refused. Empty folders and the executable bit are not kept.",
    act: push,
  },
  pull: {
    usage: "pull <path> [to]",
    summary: "Copy a file or a folder of the library to this machine",
    options: {
      force: flag(
        "replace files that are here and differ, and write those that tools run by themselves (.envrc, hooks, …)",
        "f",
      ),
    },
    act: pull,
  },
  ls: {
    usage: "ls [folder]",
    summary: "List what is in the library",
    options: {
      recursive: flag("all that is below the folder", "r"),
      long: flag("with sizes in bytes and dates", "l"),
    },
    act: listFolder,
  },
  cat: { usage: "cat <path>", summary: "Print a file of the library", act: cat },
  search: {
    usage: "search <words…>",
    summary: "Search files, notes and mirrors",
    options: {
      in: takes("kinds", "files, notes, repos, or several with commas"),
      limit: takes("number", "how many hits, up to 50"),
    },
    more: "lang:py, tag:work, path:src/ and -word narrow the search.",
    takesText: true,
    act: search,
  },
  run: {
    usage: "run <file> [arguments…]",
    summary: "Run a Python, JavaScript or TypeScript file in the sandbox of the server",
    options: {
      input: takes("file", "what the program reads; by default what is piped in, and - for the terminal"),
      timeout: takes(
        "seconds",
        `how long it may take; ${describeLimits(CODE_LIMITS.default_timeout_seconds, CODE_LIMITS.max_timeout_seconds)}`,
      ),
      memory: takes(
        "MB",
        `how much memory it may use; ${describeLimits(CODE_LIMITS.default_memory_mb, CODE_LIMITS.max_memory_mb)}`,
      ),
    },
    more: "The file is one of this machine, or of the library if there is none here. Its output is printed as it comes, and the exit code is that of the program.\nCtrl-C stops the program. Arguments that begin with a dash follow “--”.",
    act: run,
  },
  share: {
    usage: "share <path>",
    summary: "Create a link to a file or a folder and print it",
    options: {
      days: takes("number", "how long the link works; 7 by default"),
      permanent: flag("the link never expires"),
      password: flag("ask for a password that readers need (or read it from standard input)"),
      lines: takes("4-8", "these lines alone"),
      views: takes("number", "how often it can be opened"),
      preview: flag("the first lines alone"),
      follow: flag("of a folder: show it as it is when the link is opened"),
    },
    act: share,
  },
  note: {
    usage: "note <file>[:line] <text…>",
    summary: "Put a note on a file or on one of its lines",
    takesText: true,
    act: note,
  },
  sync: {
    usage: "sync <folder>",
    summary: "Keep a folder here and one in the library the same",
    options: {
      to: takes(
        "folder",
        "the folder of the library; by default the one with the same name; / for the whole library",
      ),
      watch: flag("go on until you press Ctrl-C", "w"),
      interval: takes("seconds", "how often --watch asks the server; 15 by default"),
      "dry-run": flag("say what would be done, and do nothing", "n"),
      force: flag("also write files that tools run by themselves (.envrc, hooks, …)", "f"),
      ...WHAT_IS_SKIPPED,
    },
    more: "What was changed on one side is changed on the other. A file changed on both sides is kept beside as “name (conflict …)”.\nWhat was deleted on one side is deleted on the other if nobody changed it there; the library keeps it in the trash for 30 days.\nEmpty folders and the executable bit are not kept.",
    act: sync,
  },
  open: {
    usage: "open [path]",
    summary: "Open the page of a file or a folder, and print its address",
    options: { print: flag("print the address alone") },
    act: openPage,
  },
  completion: {
    usage: "completion <bash|zsh>",
    summary: "Print a completion script",
    more: 'In ~/.bashrc or ~/.zshrc: eval "$(codeshelf completion bash)"',
    act: completion,
  },
  paths: {
    usage: "paths [beginning]",
    summary: "List paths for a completion",
    hidden: true,
    act: paths,
  },
};

export const COMMON_OPTIONS: Record<string, OptionSpec> = {
  json: flag("print one line of JSON for programs"),
  help: flag("show this help", "h"),
};
