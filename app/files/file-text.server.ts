import { createFileEtag, hasMatchingEtag } from "#app/files/file-etag.ts";
import { findFileAt, parseVersionNumber } from "#app/files/versions/shown-version.server.ts";
import { isNewerThan } from "#app/files/write-conditions.ts";
import { parseByteRange } from "#app/web/answers/byte-range.ts";
import { toRefusalResponse } from "#app/web/answers/replies.server.ts";
import type { Db } from "#db/client.ts";
import type { FileRecord } from "#db/files/file-records.server.ts";
import { readVersionBody } from "#db/files/file-versions.server.ts";
import { Refusal } from "#domain/refusal.ts";

/** Answers with the text of a file at a version, by default the newest: in full, as a range, or 304. */
export async function answerText(
  db: Db,
  request: Request,
  newest: FileRecord,
  requested: string | undefined,
): Promise<Response | Refusal> {
  const number = requested === undefined ? newest.version : parseVersionNumber(requested);
  const file = number === null ? null : await findFileAt(db, newest.user_id, newest, number);
  const missing = Refusal("version_not_found", { file_id: newest.id, version: requested });
  if (!file) return missing;
  const headers = toTextHeaders(file);
  if (isUnchanged(request, file)) return new Response(null, { status: 304, headers });
  if (request.method === "HEAD")
    return new Response(null, { headers: addContentLength(headers, file.size_bytes) });
  const body = await readVersionBody(db, newest.user_id, file, file.version);
  return body === null ? missing : answerRange(request, file, Buffer.from(body), headers);
}

/** `no-transform`, because compression would change the bytes under the same strong ETag. */
function toTextHeaders(file: FileRecord): Record<string, string> {
  return {
    "Content-Type": "text/plain; charset=utf-8",
    "Cache-Control": "private, no-cache, no-transform",
    "Accept-Ranges": "bytes",
    "Last-Modified": file.updated_at.toUTCString(),
    "X-File-Id": file.id,
    "X-File-Version": String(file.version),
    ETag: createFileEtag(file),
  };
}

const addContentLength = (headers: Record<string, string>, bytes: number) => ({
  ...headers,
  "Content-Length": String(bytes),
});

function isUnchanged({ headers }: Request, file: FileRecord): boolean {
  const tags = headers.get("If-None-Match");
  if (tags !== null) return hasMatchingEtag(tags, file, { strong: false });
  const since = headers.get("If-Modified-Since");
  return since !== null && !Number.isNaN(Date.parse(since)) && !isNewerThan(file.updated_at, since);
}

/** Answers a range only if `If-Range` names this version. */
function answerRange(
  request: Request,
  file: FileRecord,
  bytes: Buffer<ArrayBuffer>,
  headers: Record<string, string>,
): Response {
  const ifRange = request.headers.get("If-Range");
  const isSame = ifRange === null || ifRange === headers.ETag || ifRange === headers["Last-Modified"];
  const range = isSame ? parseByteRange(request.headers.get("Range"), bytes.length) : null;
  if (range === null) return new Response(bytes, { headers: addContentLength(headers, bytes.length) });
  if (range === "unsatisfiable")
    return toRefusalResponse(
      Refusal("range_not_satisfiable", { file_id: file.id, size_bytes: bytes.length }),
      {
        "Content-Range": `bytes */${bytes.length}`,
      },
    );
  const slice = bytes.subarray(range.from, range.to + 1);
  const extra = { "Content-Range": `bytes ${range.from}-${range.to}/${bytes.length}` };
  return new Response(slice, {
    status: 206,
    headers: { ...addContentLength(headers, slice.length), ...extra },
  });
}
