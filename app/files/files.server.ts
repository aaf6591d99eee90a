import { z } from "zod";
import { batchEndpoint } from "#app/files/batch.server.ts";
import { fileContentEndpoints } from "#app/files/file-content.server.ts";
import { createFileEtag, hasMatchingEtag } from "#app/files/file-etag.ts";
import { fileRecordEndpoints } from "#app/files/file-record.server.ts";
import { savedShape, toWireSavedFile } from "#app/files/file-wire.server.ts";
import {
  countQueryFiles,
  listFilePage,
  listFoldersAround,
  listingShape,
} from "#app/files/list/file-listing.server.ts";
import { fileQuery } from "#app/files/list/file-query.server.ts";
import { allowsChange, hasWriteConditions, WRITE_CONDITIONS } from "#app/files/write-conditions.ts";
import { endpoint, withFailureFlag } from "#app/web/api/api.server.ts";
import { ok, opaqueId, timestamp } from "#app/web/api/shapes.server.ts";
import { type FileToPut, putFile } from "#db/files/file-puts.server.ts";
import { findFileByPath } from "#db/files/folders/folder-files.server.ts";
import { trashFile } from "#db/files/trash/file-deletion.server.ts";
import { BODY_MAX_BYTES, decodeBody } from "#domain/files/file.ts";
import { parseFilePath } from "#domain/files/folders/file-path.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { toTimestamp } from "#domain/time/timestamp.ts";

const putShape = savedShape.extend({ unchanged: z.literal(true).optional() });

/** The check of the current file for If-Match and similar headers; undefined without them. */
function readExpectation(headers: Headers): FileToPut["expects"] {
  if (!hasWriteConditions(headers)) return undefined;
  const [match, noneMatch] = [headers.get("If-Match"), headers.get("If-None-Match")];
  return (current) =>
    allowsChange(headers, current) &&
    (match === null || hasMatchingEtag(match, current, { strong: true })) &&
    (noneMatch === null || !hasMatchingEtag(noneMatch, current, { strong: false }));
}

const namedFileEndpoints = [
  endpoint({
    method: "PUT",
    path: "/api/files/*path",
    gate: "user",
    summary: "Save the raw body as the file at this path",
    description:
      "The body is UTF-8 text of up to 2 MiB. Missing folders are created. A new file answers 201, another text a new version, the same text `unchanged: true`; the answer has the file's ETag. With `If-Match: <ETag>` it is saved only if the file still is that version, with `If-None-Match: *` only if there is none; otherwise 412 `version_changed`, and nothing is overwritten.",
    conditions: WRITE_CONDITIONS,
    refuses: [
      "binary_content",
      "folder_limit",
      "name_of_file",
      "name_of_folder",
      "folders_busy",
      "library_full",
    ],
    returns: { 200: putShape, 201: putShape },
    body: { rawMaxBytes: BODY_MAX_BYTES },
    answer: async ({ request, services: { db, clock }, signedIn, params: { path }, body }) => {
      const target = parseFilePath(path);
      if (isRefusal(target)) return target;
      const text = decodeBody(body);
      if (isRefusal(text)) return text;
      const put = { ...target, body: text, expects: readExpectation(request.headers) };
      const saved = await putFile(db, signedIn.user.id, put, clock());
      if (isRefusal(saved)) return saved;
      const answer = { ok: true, ...toWireSavedFile(saved), ...(saved.unchanged ? { unchanged: true } : {}) };
      return Response.json(answer, {
        status: saved.created ? 201 : 200,
        headers: { ETag: createFileEtag({ id: saved.file.id, version: saved.version }) },
      });
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/api/files/*path",
    gate: "user",
    summary: "Move the file at this path to the trash",
    description:
      "With `If-Match: <ETag>` only if the file still is that version; otherwise 412 `version_changed`.",
    conditions: WRITE_CONDITIONS,
    returns: { 200: z.object({ ok, file_id: opaqueId, expires_at: timestamp }) },
    answer: async ({ request, services: { db, clock }, signedIn: { user }, params: { path } }) => {
      const file = await findFileByPath(db, user.id, path);
      if (isRefusal(file)) return file;
      // A version saved between this check and the deletion goes to the trash with the file, so it is not lost.
      if (readExpectation(request.headers)?.(file) === false)
        return Refusal("version_changed", { version: file.version });
      const deletion = await trashFile(db, user.id, file.id, clock());
      if (isRefusal(deletion)) return deletion;
      return { ok: true, file_id: file.id, expires_at: toTimestamp(deletion.expires_at) };
    },
  }),
];

export const fileEndpoints = [
  endpoint({
    method: "GET",
    path: "/api/files",
    gate: "user",
    summary: "List files, newest first, or search them with q",
    refuses: ["invalid_cursor", "folder_not_found"],
    returns: { 200: listingShape },
    query: fileQuery,
    answer: async ({ services: { db }, signedIn, query }) => {
      const around = await listFoldersAround(db, signedIn.user.id, query);
      if (isRefusal(around)) return around;
      const page = await listFilePage(db, signedIn.user.id, query);
      if (isRefusal(page)) return page;
      return { ok: true, ...page, ...(await countQueryFiles(db, signedIn.user.id, query)), ...around };
    },
  }),
  ...withFailureFlag("ok", [
    ...fileRecordEndpoints,
    ...fileContentEndpoints,
    batchEndpoint,
    ...namedFileEndpoints,
  ]),
];
