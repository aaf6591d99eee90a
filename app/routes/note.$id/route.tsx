import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { findNotePageAddress } from "#app/notes/note-page.server.ts";
import { toShownNote } from "#app/notes/shown-note.server.ts";
import { wantsPage } from "#app/web/answers/accept.ts";
import { answerSuccess, requireValue, toRefusalResponse } from "#app/web/answers/replies.server.ts";
import { readForm } from "#app/web/door/body.server.ts";
import { requireUser } from "#app/web/session/gates.server.ts";
import { findNote } from "#db/notes/notes.server.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { changeNote, noteVerbForm, toPageAfterAction } from "./form.server.ts";

export async function loader(args: LoaderFunctionArgs) {
  const { user } = await requireUser(args);
  const note_id = args.params.id ?? "";
  const { db } = args.context.services;
  const note = requireValue(await findNote(db, user.id, note_id), Refusal("note_not_found", { note_id }));
  return redirect(await findNotePageAddress(db, user.id, note));
}

/** Runs one verb on one note. The page that the form was on shows a refusal, because these forms have no text fields. */
export async function action(args: ActionFunctionArgs) {
  const { user } = await requireUser(args);
  const form = await readForm(args, noteVerbForm);
  if (isRefusal(form)) throw toRefusalResponse(form);
  const result = await changeNote(args.context.services, user.id, args.params.id ?? "", form);
  if (isRefusal(result)) {
    if (!wantsPage(args.request.headers.get("Accept"))) throw toRefusalResponse(result);
    args.context.session.flash({ say: "refused", code: result.refused });
    return redirect(toPageAfterAction(form, null), 303);
  }
  if (result.flash) args.context.session.flash(result.flash);
  return answerSuccess(
    args.request,
    { ok: true, note: toShownNote(result.note) },
    toPageAfterAction(form, result),
  );
}
