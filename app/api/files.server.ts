import { fileQuery } from "#app/api/file-query.server.ts";
import { fileOnWire, savedOnWire } from "#app/api/file-wire.server.ts";
import { endpoint } from "#app/http/api.server.ts";
import { countFiles, listFiles, saveFile } from "#db/files.server.ts";
import { BODY_MAX_BYTES, decodeBody } from "#domain/file.ts";
import { isRefusal } from "#domain/refusal.ts";

export const fileEndpoints = [
  endpoint({
    method: "GET",
    path: "/api/files",
    gate: "user",
    query: fileQuery,
    answer: async ({ shelf: { db }, visitor, query }) => {
      const page = await listFiles(db, visitor.user.id, query);
      if (isRefusal(page)) return page;
      const total = await countFiles(db, visitor.user.id, query);
      return { ok: true, files: page.files.map(fileOnWire), next_cursor: page.next_cursor, total };
    },
  }),
  endpoint({
    method: "PUT",
    path: "/api/files/:file_name",
    gate: "user",
    body: { rawMaxBytes: BODY_MAX_BYTES },
    answer: async ({ shelf: { db, clock }, visitor, params, body }) => {
      const text = decodeBody(body);
      if (isRefusal(text)) return text;
      const saved = await saveFile(db, visitor.user.id, { file_name: params.file_name, body: text }, clock());
      if (isRefusal(saved)) return saved;
      return Response.json({ ok: true, ...savedOnWire(saved) }, { status: saved.created ? 201 : 200 });
    },
  }),
];
