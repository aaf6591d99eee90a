import { countTotal, listFilePage, listingShape } from "#app/files/file-listing.server.ts";
import { fileQuery } from "#app/files/file-query.server.ts";
import { savedOnWire, savedShape } from "#app/files/file-wire.server.ts";
import { endpoint } from "#app/http/api/api.server.ts";
import { saveFile } from "#db/files/files.server.ts";
import { BODY_MAX_BYTES, decodeBody } from "#domain/files/file.ts";
import { isRefusal } from "#domain/refusal.ts";

export const fileEndpoints = [
  endpoint({
    method: "GET",
    path: "/api/files",
    gate: "user",
    summary: "List files, newest first, or search them with q",
    returns: { 200: listingShape },
    query: fileQuery,
    answer: async ({ services: { db }, visitor, query }) => {
      const page = await listFilePage(db, visitor.user.id, query);
      if (isRefusal(page)) return page;
      return { ok: true, ...page, ...(await countTotal(db, visitor.user.id, query)) };
    },
  }),
  endpoint({
    method: "PUT",
    path: "/api/files/:file_name",
    gate: "user",
    summary: "Save the raw body as a file with this name",
    returns: { 200: savedShape, 201: savedShape },
    body: { rawMaxBytes: BODY_MAX_BYTES },
    answer: async ({ services: { db, clock }, visitor, params, body }) => {
      const text = decodeBody(body);
      if (isRefusal(text)) return text;
      const saved = await saveFile(db, visitor.user.id, { file_name: params.file_name, body: text }, clock());
      if (isRefusal(saved)) return saved;
      return Response.json({ ok: true, ...savedOnWire(saved) }, { status: saved.created ? 201 : 200 });
    },
  }),
];
