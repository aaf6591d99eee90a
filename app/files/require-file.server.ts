import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import type { TrashedFilePage } from "#app/files/trashed-file.tsx";
import { wantsPage } from "#app/web/answers/accept.ts";
import { toRefusalResponse } from "#app/web/answers/replies.server.ts";
import { requireUser } from "#app/web/session/gates.server.ts";
import type { SignedIn } from "#app/web/session/session.ts";
import { type FileRecord, findFile } from "#db/files/file-records.server.ts";
import { findBodyStarts } from "#db/files/file-versions.server.ts";
import { findTrashedFile } from "#db/files/trash/trash.server.ts";
import { Refusal } from "#domain/refusal.ts";

export async function requireFile(
  args: LoaderFunctionArgs | ActionFunctionArgs,
): Promise<{ signedIn: SignedIn; file: FileRecord }> {
  const signedIn = await requireUser(args);
  const file_id = args.params.id ?? "";
  const file = await findFile(args.context.services.db, signedIn.user.id, file_id);
  if (!file) throw await answerMissingFile(args, signedIn.user.id, file_id);
  return { signedIn, file };
}

const SHOWN_CHARACTERS = 20_000;

/** Answers for a missing file. Its owner learns that it is in the trash; anyone else does not learn that it existed. */
export async function answerMissingFile(
  { request, context }: LoaderFunctionArgs | ActionFunctionArgs,
  ownerId: string,
  file_id: string,
): Promise<Response> {
  const { db, clock } = context.services;
  const isPage = wantsPage(request.headers.get("Accept"));
  const file = isPage ? await findTrashedFile(db, ownerId, file_id, clock()) : null;
  if (!file) return toRefusalResponse(Refusal("file_not_found", { file_id }));
  const [start = ""] = await findBodyStarts(db, ownerId, [file], SHOWN_CHARACTERS + 1);
  const trashed: TrashedFilePage = {
    file_id,
    file_name: file.file_name,
    deleted_at: file.deleted_at.toISOString(),
    text: start.slice(0, SHOWN_CHARACTERS),
    isWhole: start.length <= SHOWN_CHARACTERS,
  };
  return toRefusalResponse(Refusal("file_in_trash", trashed));
}
