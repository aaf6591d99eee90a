import { z } from "zod";
import { agentTool } from "#app/agents/tool.server.ts";
import { toWireFolder } from "#app/files/folders/folder-wire.server.ts";
import { readSearch, SEARCH_LIMIT_MAX } from "#app/search/search-request.ts";
import { toWireSearch } from "#app/search/search-wire.server.ts";
import { readFolders } from "#db/files/folders/folders.server.ts";
import { search } from "#db/search/search.server.ts";
import { folderId } from "#domain/files/folders/folder-schema.ts";
import { findFolder } from "#domain/files/folders/folder-tree.ts";
import { sortByName } from "#domain/files/name-order.ts";
import { isRefusal } from "#domain/refusal.ts";
import { SEARCH_QUERY_MAX } from "#domain/search/search-query.ts";

export const libraryTools = [
  agentTool({
    name: "search",
    title: "Search the library",
    description:
      'Searches files, notes and mirrors, best matches first: by name, tag, description, what a line defines, any line. "Quoted" text is literal; lang:python, tag:x, in:notes, path:src/ and -word narrow it.',
    scope: "read",
    input: z.strictObject({
      q: z.string().min(1).max(SEARCH_QUERY_MAX),
      folder: folderId.optional().describe("The id of a folder to search within"),
      limit: z.int().min(1).max(SEARCH_LIMIT_MAX).optional(),
      cursor: z.string().max(10).optional().describe("next_cursor of the page before"),
    }),
    answer: async ({ services: { db, clock }, user, input: { limit, ...parameters } }) => {
      const request = readSearch({ ...parameters, ...(limit === undefined ? {} : { limit: String(limit) }) });
      if (isRefusal(request)) return request;
      return toWireSearch(request, await search(db, user.id, request.query, { ...request, now: clock() }));
    },
  }),
  agentTool({
    name: "list_folders",
    title: "List folders",
    description: "Lists all folders of the library with their paths and ids, for list_files and update_file.",
    scope: "read",
    input: z.strictObject({}),
    answer: async ({ services: { db }, user }) => {
      const tree = await readFolders(db, user.id);
      const living = [...tree.values()].filter(({ id }) => findFolder(tree, id));
      const folders = living.map((folder) => toWireFolder(folder, tree));
      return { folders: sortByName(folders, ({ path }) => path) };
    },
  }),
];
