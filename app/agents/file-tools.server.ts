import { z } from "zod";
import { agentTool } from "#app/agents/tool.server.ts";
import { fileRecordOnWire, savedOnWire } from "#app/files/file-wire.server.ts";
import { listFilePage } from "#app/files/list/file-listing.server.ts";
import { fileQuery } from "#app/files/list/file-query.server.ts";
import { listVersionPage, VERSIONS_LIMIT_MAX } from "#app/files/versions/versions.server.ts";
import type { WebServices } from "#app/http/request-context.ts";
import type { Db } from "#db/client.ts";
import { updateDetails } from "#db/files/file-details.server.ts";
import { editFile } from "#db/files/file-edits.server.ts";
import { putFile } from "#db/files/file-puts.server.ts";
import { findFile } from "#db/files/file-records.server.ts";
import { readVersion } from "#db/files/file-versions.server.ts";
import { BODY_MAX_BYTES, FILE_SORTS, FILES_LIMIT_MAX } from "#domain/files/file.ts";
import { pickDetails } from "#domain/files/file-details.ts";
import { detailChanges } from "#domain/files/file-schema.ts";
import { parseFilePath } from "#domain/folders/file-path.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { checkBySchema } from "#domain/schema.ts";

const LINES_AT_ONCE = 2_000;
const CHARACTERS_AT_ONCE = 200_000;

const shortText = z.string().max(300);
const narrowing = {
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

type FileSearchArguments = { q?: string; limit?: number };

async function listed({ db }: WebServices, ownerId: string, { limit, ...filters }: FileSearchArguments) {
  const query = checkBySchema(
    fileQuery,
    limit === undefined ? filters : { ...filters, limit: String(limit) },
  );
  return isRefusal(query) ? query : listFilePage(db, ownerId, query);
}

/** The requested lines, as many as fit into one answer, and the line to continue from. */
function sliceLines(text: string, from: number, to: number | undefined) {
  const lines = text.split("\n");
  const last = Math.min(to ?? lines.length, lines.length, from + LINES_AT_ONCE - 1);
  const shown: string[] = [];
  let characters = 0;
  for (const one of lines.slice(from - 1, last)) {
    characters += one.length + 1;
    if (shown.length > 0 && characters > CHARACTERS_AT_ONCE) break;
    shown.push(one);
  }
  const end = from + shown.length - 1;
  const isWhole = end >= Math.min(to ?? lines.length, lines.length);
  return {
    content: shown.join("\n"),
    start_line: from,
    end_line: end,
    total_lines: lines.length,
    next_line: isWhole ? null : end + 1,
  };
}

async function putAtPath(db: Db, ownerId: string, path: string, body: string, now: Date) {
  const place = parseFilePath(path);
  return isRefusal(place) ? place : putFile(db, ownerId, { ...place, body }, now);
}

export const fileTools = [
  agentTool({
    name: "list_files",
    title: "List files",
    description: "Lists the files of the library, newest first, a page at a time. Bodies are not included.",
    scope: "read",
    input: z.strictObject(narrowing),
    answer: ({ services, user, input }) => listed(services, user.id, input),
  }),
  agentTool({
    name: "search_files",
    title: "Search files",
    description:
      "Finds files whose name, description, tags or body have the words, literally and whatever their case. Each hit comes with its line.",
    scope: "read",
    input: z.strictObject({ q: z.string().min(1).max(1_000), ...narrowing }),
    answer: ({ services, user, input }) => listed(services, user.id, input),
  }),
  agentTool({
    name: "read_file",
    title: "Read a file",
    description: "Reads the text of a file: its newest version or an older one, all of it or some lines.",
    scope: "read",
    input: z.strictObject({
      file_id,
      version: z.int().min(1).optional(),
      start_line: line.optional(),
      end_line: line.optional(),
    }),
    answer: async ({ services: { db }, user, input: { file_id, version, start_line = 1, end_line } }) => {
      const file = await findFile(db, user.id, file_id);
      if (!file) return Refusal("file_not_found", { file_id });
      const text = await readVersion(db, user.id, file, version ?? file.version);
      if (text === null) return Refusal("version_not_found", { file_id, version });
      const read = sliceLines(text, start_line, end_line);
      const outside = start_line > read.total_lines || (end_line !== undefined && end_line < start_line);
      if (outside) return Refusal("out_of_range", { field: "start_line", min: 1, max: read.total_lines });
      const { file_name, language } = file;
      const shown = { version: version ?? file.version, newest_version: file.version };
      return { file_id, file_name, language, ...pickDetails(file), ...shown, ...read };
    },
  }),
  agentTool({
    name: "list_versions",
    title: "List the versions of a file",
    description: "Lists the versions of a file, newest first, a page at a time. read_file reads one of them.",
    scope: "read",
    input: z.strictObject({
      file_id,
      cursor: narrowing.cursor,
      limit: z.int().min(1).max(VERSIONS_LIMIT_MAX).optional(),
    }),
    answer: ({ services: { db }, user, input: { file_id, ...page } }) =>
      listVersionPage(db, user.id, file_id, page),
  }),
  agentTool({
    name: "save_file",
    title: "Save a file",
    description:
      "Keeps a text under a name, or at a path such as lib/a.py, whose missing folders are made. A file there gets a new version, unless it has this text already; old versions stay. With file_id and version it is an edit of that version, and is refused where someone else saved a newer one.",
    scope: "write",
    input: z
      .strictObject({
        file_name: z.string().max(1_000),
        content: z.string().max(BODY_MAX_BYTES),
        file_id: file_id.optional(),
        version: z.int().min(1).optional(),
      })
      .refine(({ file_id, version }) => (file_id === undefined) === (version === undefined), {
        message: "file_id and version go together",
      }),
    answer: async ({ services: { db, clock }, user, input: { file_name, content, file_id, version } }) => {
      const onto = file_id !== undefined && version !== undefined ? { id: file_id, version } : undefined;
      const saved = await (onto
        ? editFile(db, user.id, { file_name, body: content, onto }, clock())
        : putAtPath(db, user.id, file_name, content, clock()));
      if (isRefusal(saved)) return saved;
      const { created, unchanged } = saved;
      return { ...savedOnWire(saved), created, ...(unchanged ? { unchanged } : {}) };
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
    input: detailChanges.extend({ file_id }),
    answer: async ({ services: { db }, user, input: { file_id, ...changes } }) => {
      const file = await updateDetails(db, user.id, file_id, changes);
      if (isRefusal(file)) return file;
      return { file_id, file: await fileRecordOnWire(db, file) };
    },
    tells: ({ file_id, file: { file_name } }) => ({ kind: "file_saved", file_id, file_name, created: false }),
  }),
];
