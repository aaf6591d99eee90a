import { notFound } from "#app/dav/answers.ts";
import type { DavAnswer, DavCall } from "#app/dav/call.ts";
import { createJunkEtag, findResource } from "#app/dav/resource.server.ts";
import { answerText } from "#app/files/file-text.server.ts";
import type { JunkFile } from "#db/dav/dav-junk.server.ts";
import { DavProblem, orProblem } from "#domain/dav/dav-problem.ts";

const FOLDER_TEXT =
  "This is a folder. A WebDAV client lists it by PROPFIND; in a browser your files are at /files.\n";

export async function answerRead({ request, services, ownerId, path, now }: DavCall): Promise<DavAnswer> {
  const resource = await findResource(services.db, ownerId, path, now);
  if (resource.kind === "missing") return notFound();
  if (resource.kind === "junk") return answerJunk(request, resource.junk);
  if (resource.kind === "folder")
    return new Response(request.method === "HEAD" ? null : FOLDER_TEXT, {
      headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "private, no-cache" },
    });
  const answer = orProblem(await answerText(services.db, request, resource.file, undefined));
  if (!(answer instanceof Response) || answer.status !== 416) return answer;
  return DavProblem(416, "The file does not have these bytes.", { code: "range_not_satisfiable" });
}

function answerJunk(request: Request, junk: JunkFile): Response {
  return new Response(request.method === "HEAD" ? null : Buffer.from(junk.bytes), {
    headers: {
      "Content-Type": "application/octet-stream",
      "Content-Length": String(junk.bytes.byteLength),
      "Last-Modified": junk.written_at.toUTCString(),
      "Cache-Control": "private, no-cache, no-transform",
      ETag: createJunkEtag(junk),
    },
  });
}
