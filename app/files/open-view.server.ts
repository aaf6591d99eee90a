import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { requireFile } from "#app/files/require-file.server.ts";
import { requireShownVersion } from "#app/files/versions/shown-version.server.ts";
import { readShownLine } from "#app/viewers/code/code-marks.server.ts";
import { type HighlightedCode, highlight } from "#app/viewers/code/highlight.server.ts";
import { atVersion, type Viewed } from "#app/viewers/views.ts";
import { wantsPage } from "#app/web/answers/accept.ts";
import { toRefusalResponse } from "#app/web/answers/replies.server.ts";
import { type FileRecord, readBody } from "#db/files/file-records.server.ts";
import { recordFileOpening } from "#db/files/marks.server.ts";
import { Refusal } from "#domain/refusal.ts";
import { removeByteOrderMark } from "#domain/text/line-ends.ts";

type OpenView = { file: FileRecord; body: string; newest: number };

/** Opens a view's file at the version of `?v=`. A file of another kind redirects a navigation to its source; other callers are refused. */
export async function openView(args: LoaderFunctionArgs, language: Viewed): Promise<OpenView> {
  const { signedIn, file: current } = await requireFile(args);
  const { user } = signedIn;
  const { db } = args.context.services;
  const file = await requireShownVersion(args, user.id, current);
  if (file.language !== language) {
    if (wantsPage(args.request.headers.get("Accept")))
      throw redirect(atVersion(`/file/${file.id}`, file.version === current.version ? null : file.version));
    throw toRefusalResponse(Refusal("unsupported_view", { file_id: current.id }));
  }
  await recordOpening(args, current);
  return { file, body: removeByteOrderMark(await readBody(db, user.id, file)), newest: current.version };
}

export function highlightSource(
  { context, request }: LoaderFunctionArgs,
  { user_id: owner, language }: FileRecord,
  body: string,
): Promise<HighlightedCode> {
  return highlight(context, { owner, body, language, line: readShownLine(request) });
}

/** Records that a file was opened. A prefetched page reports it itself when it is shown. */
export async function recordOpening(
  { context }: Pick<LoaderFunctionArgs, "context">,
  file: FileRecord,
): Promise<void> {
  if (context.early) return;
  const { db, clock } = context.services;
  await recordFileOpening(db, file.user_id, file, clock());
}
