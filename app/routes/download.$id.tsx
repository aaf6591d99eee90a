import type { LoaderFunctionArgs } from "@remix-run/node";
import { createFileEtag } from "#app/files/file-etag.ts";
import { requireFile } from "#app/files/require-file.server.ts";
import { shownVersion } from "#app/files/versions/shown-version.server.ts";
import { attachment } from "#app/http/answers/attachment.ts";
import { matchesEtag } from "#app/http/answers/etag.ts";
import { readBody } from "#db/files/file-records.server.ts";

/** The exact bytes of the newest version or of the requested one, as a download and never as a document of ours. */
export async function loader(args: LoaderFunctionArgs) {
  const { signedIn, file: newest } = await requireFile(args);
  const { user } = signedIn;
  const { db } = args.context.services;
  const file = await shownVersion(args, user.id, newest);
  const headers = {
    "Content-Type": "text/plain; charset=utf-8",
    "Content-Disposition": attachment(file.file_name),
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "Cache-Control": "private, no-cache",
    ETag: createFileEtag(file),
  };
  const unchanged = matchesEtag(args.request.headers.get("If-None-Match"), headers.ETag);
  if (!unchanged) args.context.body = await readBody(db, user.id, file);
  args.context.answer = new Response(null, { status: unchanged ? 304 : 200, headers });
  return null;
}

/** Never shown: with a component, a missing file gets the error page. */
export default function Download() {
  return null;
}
