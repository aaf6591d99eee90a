import type { LoaderFunctionArgs } from "@remix-run/node";
import { createFileEtag } from "#app/files/file-etag.ts";
import { requireFile } from "#app/files/require-file.server.ts";
import { requireShownVersion } from "#app/files/versions/shown-version.server.ts";
import { toContentDisposition } from "#app/web/answers/attachment.ts";
import { matchesEtag } from "#app/web/answers/etag.ts";
import { answerParts } from "#app/web/answers/parts.ts";
import { readBody } from "#db/files/file-records.server.ts";

/** Downloads the exact bytes of a version, by default the newest; never as a document of this site. */
export async function loader(args: LoaderFunctionArgs) {
  const { signedIn, file: newest } = await requireFile(args);
  const { user } = signedIn;
  const { db } = args.context.services;
  const file = await requireShownVersion(args, user.id, newest);
  const headers = {
    "Content-Type": "text/plain; charset=utf-8",
    "Content-Disposition": toContentDisposition(file.file_name),
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "Cache-Control": "private, no-cache",
    ETag: createFileEtag(file),
  };
  if (matchesEtag(args.request.headers.get("If-None-Match"), headers.ETag))
    return new Response(null, { status: 304, headers });
  return answerParts([Buffer.from(await readBody(db, user.id, file))], { headers });
}
