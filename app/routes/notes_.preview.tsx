import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { refusalResponse } from "#app/http/answers/replies.server.ts";
import { readForm } from "#app/http/door/body.server.ts";
import { requireUser } from "#app/http/session/gates.server.ts";
import { noteFormId } from "#app/notes/note-card.tsx";
import { notePreviewForm } from "#app/notes/note-edit-form.server.ts";
import type { RouteHandle } from "#app/page-handle.ts";
import { foreignAnswer } from "#app/viewers/foreign-answer.ts";
import { noteHtml } from "#app/viewers/markdown/notes-html.server.ts";
import { NOTE_FORM_MAX_BYTES } from "#domain/notes/note.ts";
import { checkChanges } from "#domain/notes/note-schema.ts";
import { isRefusal } from "#domain/refusal.ts";

export async function loader(args: LoaderFunctionArgs) {
  await requireUser(args);
  if (args.context.answer) return null;
  return redirect("/notes");
}

/** A text as the body of a note, for the page on which it is typed. Nothing is stored. */
export async function action(args: ActionFunctionArgs) {
  const { user } = await requireUser(args);
  const form = await readForm(args, notePreviewForm);
  if (isRefusal(form)) throw refusalResponse(form);
  const { content, note_id } = form;
  const checked = checkChanges({ content });
  if (isRefusal(checked)) throw refusalResponse(checked);
  const { services, locale } = args.context;
  const reader = { threads: services.threads, owner: user.id, locale: await locale() };
  const html = await noteHtml(reader, { content, form: note_id ? noteFormId(note_id) : null });
  args.context.answer = foreignAnswer(`<div data-note-body>${html}</div>`, "text/html");
  return null;
}

export const handle: RouteHandle = { bodyMaxBytes: NOTE_FORM_MAX_BYTES, rateClass: "counts-own-writes" };

/** Never shown: with a component, a refusal gets the error page. */
export default function NotePreviewPart() {
  return null;
}
