import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { orRefuse } from "#app/http/answers/replies.server.ts";
import type { SignedIn } from "#app/http/request-context.ts";
import { requireUser } from "#app/http/session/gates.server.ts";
import { type FileRecord, findFile } from "#db/files/file-records.server.ts";
import { Refusal } from "#domain/refusal.ts";

/** Who is signed in, and their file that the address names by `:id`. */
export async function requireFile(
  args: LoaderFunctionArgs | ActionFunctionArgs,
): Promise<{ signedIn: SignedIn; file: FileRecord }> {
  const signedIn = await requireUser(args);
  const file_id = args.params.id ?? "";
  const file = await findFile(args.context.services.db, signedIn.user.id, file_id);
  return { signedIn, file: orRefuse(file, Refusal("file_not_found", { file_id })) };
}
