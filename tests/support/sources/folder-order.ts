/**
 * The order of the folders within each room: a folder may import those before it, never those after it. Imports of types count. Loose
 * files of a room are not in the order. To move a folder down the list, turn its imports round first: a lower folder is listened to.
 */

import ts from "typescript";
import { toPath } from "#tests/support/sources/import-rules.ts";

type FolderOrder = {
  folders: readonly string[];
  /** "importer > imported" against the order, with the reason. */
  exceptions: Readonly<Record<string, string>>;
};

export const FOLDER_ORDER = {
  domain: {
    folders: [
      "text",
      "time",
      "accounts",
      "events",
      "backups",
      "files",
      "dav",
      "repos",
      "boards",
      "notes",
      "reminders",
      "code-runs",
      "shares",
      "search",
      "library-zip",
      "jobs",
      "alerts",
    ],
    exceptions: {},
  },
  app: {
    folders: [
      "styles",
      "bundle",
      "sample",
      "command-line",
      "codehost",
      "i18n",
      "explain",
      "tools",
      "web",
      "viewers",
      "enhance",
      "accounts",
      "files",
      "repos",
      "notes",
      "reminders",
      "code-runs",
      "shares",
      "search",
      "gists",
      "library-zip",
      "operators",
      "dav",
      "agents",
      "main",
      "routes",
    ],
    exceptions: {},
  },
  db: {
    folders: [
      "core",
      "events",
      "accounts",
      "jobs",
      "segments",
      "files",
      "dav",
      "repos",
      "notes",
      "reminders",
      "code-runs",
      "shares",
      "search",
      "library-zip",
      "alerts",
      "operations",
      "open",
      "backups",
      "local",
    ],
    exceptions: {
      "events > alerts": "an event raises the alert that its row names",
      "files > reminders": "the table of the parts of a file names everything on it",
      "files > search": "a file store asks for the indexing of what it changed",
      "jobs > code-runs": "the queue and the code runs share a client",
    },
  },
  worker: {
    folders: ["isolation", "mirror", "library-import", "push", "sandbox", "jobs"],
    exceptions: {},
  },
} as const satisfies Record<string, FolderOrder>;

/** Lists the imports against the order of a room as "importer > imported", each once. */
export function findImportsAgainstOrder(
  room: string,
  folders: readonly string[],
  sources: readonly (readonly [path: string, source: string])[],
): string[] {
  const against = sources.flatMap(([path, source]) => {
    const from = folderIn(room, path);
    return ts
      .preProcessFile(source, true, true)
      .importedFiles.map(({ fileName }) => folderIn(room, toPath(path, fileName)))
      .filter((to) => from !== null && to !== null && folders.indexOf(to) > folders.indexOf(from))
      .map((to) => `${from} > ${to}`);
  });
  return [...new Set(against)].sort();
}

/** Lists the folders that hold a room's sources. */
export function listFolders(room: string, paths: readonly string[]): string[] {
  return [...new Set(paths.map((path) => folderIn(room, path)).filter((name) => name !== null))].sort();
}

/** Returns null for a loose file, for another room and for a room inside the room. */
function folderIn(room: string, path: string): string | null {
  const [first, folder = null, ...rest] = path.split("/");
  return first === room && rest.length > 0 && `${first}/${folder}` !== "db/engine" ? folder : null;
}
