import type { LoaderFunctionArgs } from "@remix-run/node";
import { exportEntries } from "#app/library-zip/export.server.ts";
import { toContentDisposition } from "#app/web/answers/attachment.ts";
import { toZipStream } from "#app/web/answers/zip.ts";
import { requireUser } from "#app/web/session/gates.server.ts";

/** Streams everything of a person as a zip while it is read. */
export async function loader(args: LoaderFunctionArgs) {
  const { user } = await requireUser(args);
  const { db, clock } = args.context.services;
  const now = clock();
  const name = `codeshelf-everything-${now.toISOString().slice(0, 10)}.zip`;
  return new Response(toZipStream(exportEntries(db, user, now)), {
    headers: {
      "Content-Type": "application/zip",
      "Content-Disposition": toContentDisposition(name),
      "Cache-Control": "private, no-store",
    },
  });
}
