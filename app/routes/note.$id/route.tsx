import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { wantsPage } from "#app/http/answers/accept.ts";
import { done, orRefuse, refused } from "#app/http/answers/replies.server.ts";
import { readForm } from "#app/http/door/body.server.ts";
import { requireUser } from "#app/http/session/gates.server.ts";
import { findNotePage } from "#app/notes/note-page.server.ts";
import { shownNote } from "#app/notes/shown-note.server.ts";
import { findNote } from "#db/notes/notes.server.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { changeNote, noteVerbForm, pageAfterNote } from "./form.server.ts";

/** The address of a note that stays, wherever the note is shown. */
export async function loader(args: LoaderFunctionArgs) {
  const { user } = await requireUser(args);
  const note_id = args.params.id ?? "";
  const { db } = args.context.services;
  const note = orRefuse(await findNote(db, user.id, note_id), Refusal("note_not_found", { note_id }));
  return redirect(await findNotePage(db, user.id, note));
}

/** One verb on one note. A refusal is said on the page the form was on: nothing is typed into these forms. */
export async function action(args: ActionFunctionArgs) {
  const { user } = await requireUser(args);
  const form = await readForm(args, noteVerbForm);
  if (isRefusal(form)) return refused(args.request, form, null);
  const changed = await changeNote(args.context.services, user.id, args.params.id ?? "", form);
  if (isRefusal(changed)) {
    if (!wantsPage(args.request.headers.get("Accept"))) return refused(args.request, changed, null);
    args.context.flash({ say: "refused", code: changed.refused });
    return redirect(pageAfterNote(form, null), 303);
  }
  if (changed.flash) args.context.flash(changed.flash);
  return done(args.request, { ok: true, note: shownNote(changed.note) }, pageAfterNote(form, changed));
}

/** Never shown: whoever comes by is sent to the note. */
export default function Note() {
  return null;
}
