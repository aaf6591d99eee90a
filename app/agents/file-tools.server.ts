import { z } from "zod";
import { agentTool } from "#app/agents/tool.server.ts";
import { toWireFileWithPath, toWireSavedFile } from "#app/files/file-wire.server.ts";
import { listFilePage } from "#app/files/list/file-listing.server.ts";
import { fileQuery } from "#app/files/list/file-query.server.ts";
import { listVersionPage, VERSIONS_LIMIT_MAX } from "#app/files/versions/versions.server.ts";
import type { WebServices } from "#app/web/request-context.ts";
import type { Db } from "#db/client.ts";
import { updateDetails } from "#db/files/file-details.server.ts";
import { editFile } from "#db/files/file-edits.server.ts";
import { putFile } from "#db/files/file-puts.server.ts";
import { type FileRecord, findFile } from "#db/files/file-records.server.ts";
import { readVersionBody } from "#db/files/file-versions.server.ts";
import { findFileByPath } from "#db/files/folders/folder-files.server.ts";
import { hasText } from "#db/files/unchanged-text.server.ts";
import { BODY_MAX_BYTES, FILE_SORTS, FILES_LIMIT_MAX } from "#domain/files/file.ts";
import { pickDetails } from "#domain/files/file-details.ts";
import { detailChanges } from "#domain/files/file-schema.ts";
import { parseFilePath } from "#domain/files/folders/file-path.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { checkBySchema } from "#domain/schema.ts";

const LINES_AT_ONCE = 2_000;
const CHARACTERS_AT_ONCE = 50_000;
const PATH_MAX = 1_000;

const shortText = z.string().max(300);
const listFilters = {
  lang: shortText.optional().describe("A language, such as python"),
  category: shortText.optional().describe("recent, favorites, pinned, repo, large, other, or a tag"),
  repo: shortText.optional().describe("The repository the files come from, owner/name"),
  folder: shortText.optional().describe("The id of a folder, or root for the files in no folder"),
  sort: z.enum(FILE_SORTS).optional(),
  cursor: shortText.optional().describe("next_cursor of the page before"),
  limit: z.int().min(1).max(FILES_LIMIT_MAX).optional(),
};
const file_id = z.string().max(100).describe("The id of a file, from a list or a search");
const line = z.int().min(1).max(10_000_000);
const path = z.string().max(PATH_MAX);

type FileSearchArguments = { q?: string; limit?: number };

async function listFiles({ db }: WebServices, ownerId: string, { limit, ...filters }: FileSearchArguments) {
  const query = checkBySchema(
    fileQuery,
    limit === undefined ? filters : { ...filters, limit: String(limit) },
  );
  return isRefusal(query) ? query : listFilePage(db, ownerId, query);
}

type Slice = { start_line: number; start_column: number; end_line?: number | undefined };

/** Returns the requested lines up to the size of one answer, and where to continue. */
function sliceLines(text: string, { start_line, start_column, end_line }: Slice) {
  const endsWithNewline = text.endsWith("\n");
  const lines = (endsWithNewline ? text.slice(0, -1) : text).split("\n");
  const lastWantedLine = Math.min(end_line ?? lines.length, lines.length);
  const shownLines: string[] = [];
  let charactersLeft = CHARACTERS_AT_ONCE;
  let next_column: number | null = null;
  for (let number = start_line; number <= lastWantedLine && shownLines.length < LINES_AT_ONCE; number += 1) {
    const first = number === start_line ? start_column : 1;
    const line = (lines[number - 1] ?? "").slice(first - 1);
    // Only the first line of an answer is cut. A later line that does not fit begins the next answer.
    if (line.length > charactersLeft && shownLines.length > 0) break;
    const cut =
      line.length > charactersLeft ? line.slice(0, charactersLeft).replace(/[\uD800-\uDBFF]$/, "") : line;
    shownLines.push(cut);
    charactersLeft -= cut.length + 1;
    if (cut.length < line.length) next_column = first + cut.length;
    if (next_column !== null) break;
  }
  const last = start_line + shownLines.length - 1;
  const isWhole = last === lines.length && next_column === null;
  const content = shownLines.join("\n") + (isWhole && endsWithNewline ? "\n" : "");
  const next_line = next_column !== null ? last : last < lastWantedLine ? last + 1 : null;
  return {
    ...{ content, start_line, end_line: last, total_lines: lines.length, next_line },
    ...(next_column === null ? {} : { next_column }),
  };
}

/** Replaces an existing file only if the caller sends its version. Saving the same text again changes nothing. */
async function putAtPath(
  db: Db,
  ownerId: string,
  path: string,
  { body, version }: { body: string; version: number | undefined },
  now: Date,
) {
  const target = parseFilePath(path);
  if (isRefusal(target)) return target;
  const expects = (current: FileRecord | null) => current?.version === version;
  const result = await putFile(db, ownerId, { ...target, body, expects }, now);
  if (!isRefusal(result) || result.refused !== "version_changed") return result;
  const file = await findFileByPath(db, ownerId, path);
  if (isRefusal(file)) return result;
  if (await hasText(db, ownerId, file, body))
    return { file, version: file.version, created: false, unchanged: true };
  const message = `A file is there already, as version ${file.version}. Read it, then send this version to replace it.`;
  return Refusal("version_changed", { version: file.version, file_id: file.id, message });
}

export const fileTools = [
  agentTool({
    name: "list_files",
    title: "List files",
    description: "Lists the files of the library, newest first, a page at a time. Bodies are not included.",
    scope: "read",
    input: z.strictObject(listFilters),
    answer: ({ services, user, input }) => listFiles(services, user.id, input),
  }),
  agentTool({
    name: "search_files",
    title: "Search files",
    description:
      "Finds files whose name, description, tags or body have the words, literally and whatever their case. Each hit comes with its line.",
    scope: "read",
    input: z.strictObject({ q: z.string().min(1).max(1_000), ...listFilters }),
    answer: ({ services, user, input }) => listFiles(services, user.id, input),
  }),
  agentTool({
    name: "read_file",
    title: "Read a file",
    description:
      "Reads the text of a file by its path or id: its newest version or an older one, all of it or some lines.",
    scope: "read",
    input: z
      .strictObject({
        path: path.optional().describe("Where the file is, such as lib/a.py"),
        file_id: file_id.optional(),
        version: z.int().min(1).optional(),
        start_line: line.optional(),
        start_column: line.optional().describe("next_column of the piece before"),
        end_line: line.optional(),
      })
      .refine((input) => (input.path === undefined) !== (input.file_id === undefined), {
        message: "give path or file_id",
      }),
    answer: async ({ services: { db }, user, input }) => {
      const { version, start_line = 1, start_column = 1, end_line } = input;
      const file = await (input.path === undefined
        ? findFile(db, user.id, input.file_id ?? "")
        : findFileByPath(db, user.id, input.path));
      if (isRefusal(file)) return file;
      if (!file) return Refusal("file_not_found", { file_id: input.file_id });
      const file_id = file.id;
      const text = await readVersionBody(db, user.id, file, version ?? file.version);
      if (text === null) return Refusal("version_not_found", { file_id, version });
      const slice = sliceLines(text, { start_line, start_column, end_line });
      const isOutside = start_line > slice.total_lines || (end_line !== undefined && end_line < start_line);
      if (isOutside) return Refusal("out_of_range", { field: "start_line", min: 1, max: slice.total_lines });
      const { file_name, language } = file;
      const versions = { version: version ?? file.version, newest_version: file.version };
      return { file_id, file_name, language, ...pickDetails(file), ...versions, ...slice };
    },
  }),
  agentTool({
    name: "list_versions",
    title: "List the versions of a file",
    description: "Lists the versions of a file, newest first, a page at a time. read_file reads one of them.",
    scope: "read",
    input: z.strictObject({
      file_id,
      cursor: listFilters.cursor,
      limit: z.int().min(1).max(VERSIONS_LIMIT_MAX).optional(),
    }),
    answer: ({ services: { db }, user, input: { file_id, ...page } }) =>
      listVersionPage(db, user.id, file_id, page),
  }),
  agentTool({
    name: "save_file",
    title: "Save a file",
    description:
      "Keeps a text under a name, or at a path such as lib/a.py, whose missing folders are made. To replace a file that is there, send the version that was read; it gets a new version, and old ones stay. With file_id as well the file may be renamed.",
    scope: "write",
    saves: true,
    input: z
      .strictObject({
        file_name: path,
        content: z.string().max(BODY_MAX_BYTES),
        file_id: file_id.optional(),
        version: z.int().min(1).optional(),
      })
      .refine(({ file_id, version }) => file_id === undefined || version !== undefined, {
        message: "file_id needs version",
      }),
    answer: async ({ services: { db, clock }, user, input: { file_name, content, file_id, version } }) => {
      const onto = file_id !== undefined && version !== undefined ? { id: file_id, version } : undefined;
      const result = await (onto
        ? editFile(db, user.id, { file_name, body: content, onto }, clock())
        : putAtPath(db, user.id, file_name, { body: content, version }, clock()));
      if (isRefusal(result)) return result;
      const { created, unchanged } = result;
      return { ...toWireSavedFile(result), created, ...(unchanged ? { unchanged } : {}) };
    },
    tells: ({ file_id, file_name, created, unchanged }) =>
      unchanged ? null : { kind: "file_saved", file_id, file_name, created },
  }),
  agentTool({
    name: "update_file",
    title: "Rename or describe a file",
    description:
      "Changes the name, folder, description, tags or language of a file. Its text and its versions stay.",
    scope: "write",
    replaces: true,
    input: detailChanges.extend({ file_id }),
    answer: async ({ services: { db }, user, input: { file_id, ...changes } }) => {
      const file = await updateDetails(db, user.id, file_id, changes);
      if (isRefusal(file)) return file;
      return { file_id, file: await toWireFileWithPath(db, file) };
    },
    tells: ({ file_id, file: { file_name } }) => ({ kind: "file_saved", file_id, file_name, created: false }),
  }),
];
