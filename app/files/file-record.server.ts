import { z } from "zod";
import { fileRecordShape, toWireFileWithPath } from "#app/files/file-wire.server.ts";
import { readChosenFolder } from "#app/files/folders/listed-folder.server.ts";
import { endpoint } from "#app/web/api/api.server.ts";
import { flagParam, ok } from "#app/web/api/shapes.server.ts";
import { updateDetails } from "#db/files/file-details.server.ts";
import { findFile } from "#db/files/file-records.server.ts";
import { readVersionBody } from "#db/files/file-versions.server.ts";
import { findFilesByRelativePath } from "#db/files/folders/folder-files.server.ts";
import { FILE_NAME_REFUSALS } from "#domain/files/file.ts";
import { ROOT_FOLDER } from "#domain/files/file-query.ts";
import { detailChanges } from "#domain/files/file-schema.ts";
import { parseFilePath } from "#domain/files/folders/file-path.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

const oneFile = z.object({ ok, file: fileRecordShape });
const oneFileWithContent = z.object({
  ok,
  file: fileRecordShape.extend({ content: z.string().optional() }).meta({ id: "FileWithContent" }),
});

const pathQuery = z.object({
  path: z.string().describe("Name of the file, or its path below the folder."),
  folder: z
    .string()
    .default(ROOT_FOLDER)
    .describe("Id or path of a folder; `root`, or leave it out, for no folder."),
});

export const fileRecordEndpoints = [
  endpoint({
    method: "GET",
    path: "/api/file",
    gate: "user",
    summary: "Find out which file has a path",
    description: "Where there is none, and where no file can have such a path, `file` is null.",
    returns: { 200: z.object({ ok, file: fileRecordShape.nullable() }) },
    query: pathQuery,
    answer: async ({ services: { db }, signedIn: { user }, query: { path, folder } }) => {
      const chosen = await readChosenFolder(db, user.id, folder);
      if (isRefusal(chosen) || isRefusal(parseFilePath(path))) return { ok: true, file: null };
      const file = (await findFilesByRelativePath(db, user.id, chosen.id, [path])).get(path);
      return { ok: true, file: file ? await toWireFileWithPath(db, file) : null };
    },
  }),
  endpoint({
    method: "GET",
    path: "/api/file/:file_id",
    gate: "user",
    summary: "Get what is known about a file, and its text with content=1",
    refuses: ["version_not_found"],
    returns: { 200: oneFileWithContent },
    query: z.object({ content: flagParam.describe("`1` adds the text of the file.") }),
    answer: async ({ services: { db }, signedIn: { user }, params: { file_id }, query }) => {
      const file = await findFile(db, user.id, file_id);
      if (!file) return Refusal("file_not_found", { file_id });
      if (query.content !== "1") return { ok: true, file: await toWireFileWithPath(db, file) };
      const [record, content] = await Promise.all([
        toWireFileWithPath(db, file),
        readVersionBody(db, user.id, file, file.version),
      ]);
      return content === null
        ? Refusal("file_not_found", { file_id })
        : { ok: true, file: { ...record, content } };
    },
  }),
  endpoint({
    method: "PATCH",
    path: "/api/file/:file_id",
    gate: "user",
    summary: "Rename or move a file, or change its details, without a new version",
    refuses: [
      ...FILE_NAME_REFUSALS,
      "description_too_long",
      "invalid_description",
      "invalid_tags",
      "unknown_language",
      "folder_not_found",
      "name_taken",
      "name_of_folder",
    ],
    returns: { 200: oneFile },
    body: detailChanges,
    answer: async ({ services: { db }, signedIn: { user }, params: { file_id }, body }) => {
      const file = await updateDetails(db, user.id, file_id, body);
      if (isRefusal(file)) return file;
      return { ok: true, file: await toWireFileWithPath(db, file) };
    },
  }),
];
