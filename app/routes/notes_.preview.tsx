import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import type { z } from "zod";
import { readChosenFolder } from "#app/files/folders/listed-folder.server.ts";
import { getDictionary } from "#app/i18n/dictionaries.ts";
import { noteFormId } from "#app/notes/note-card.tsx";
import { previewForm } from "#app/notes/note-edit-form.server.ts";
import type { RouteHandle } from "#app/page-handle.ts";
import { answerForeign } from "#app/viewers/foreign-answer.ts";
import { findLinkedFiles, renderMarkdownPage } from "#app/viewers/markdown/markdown-page.server.ts";
import { renderNoteHtml } from "#app/viewers/markdown/notes-html.server.ts";
import { toRefusalResponse } from "#app/web/answers/replies.server.ts";
import { readForm } from "#app/web/door/body.server.ts";
import { requireUser } from "#app/web/session/gates.server.ts";
import { BODY_MAX_BYTES } from "#domain/files/file.ts";
import { checkChanges } from "#domain/notes/note-schema.ts";
import { isRefusal } from "#domain/refusal.ts";
import { escapeHtml } from "#domain/text/escape-html.ts";

export async function loader(args: LoaderFunctionArgs) {
  await requireUser(args);
  return redirect("/notes");
}

/** Renders a text as its page will show it, for the page on which it is typed. Nothing is stored. */
export async function action(args: ActionFunctionArgs) {
  const { user } = await requireUser(args);
  const form = await readForm(args, previewForm);
  if (isRefusal(form)) throw toRefusalResponse(form);
  const preview = await (form.mode === "file" ? renderFilePreview : renderNotePreview)(args, user.id, form);
  return answerForeign(preview, "text/html");
}

type PreviewForm = z.output<typeof previewForm>;

async function renderNotePreview(
  { context }: ActionFunctionArgs,
  owner: string,
  { content, note_id }: PreviewForm,
): Promise<string> {
  const result = checkChanges({ content });
  if (isRefusal(result)) throw toRefusalResponse(result);
  const reader = { threads: context.services.threads, owner, locale: await context.locale() };
  const html = await renderNoteHtml(reader, { content, form: note_id ? noteFormId(note_id) : null });
  return `<div data-note-body>${html}</div>`;
}

/** Relative links in a missing or new folder are resolved from the root. */
async function renderFilePreview(
  { context }: ActionFunctionArgs,
  owner: string,
  { content, folder }: PreviewForm,
): Promise<string> {
  const chosen = await readChosenFolder(context.services.db, owner, folder);
  const files = await findLinkedFiles(context, owner, isRefusal(chosen) ? null : chosen.id, content);
  const result = await renderMarkdownPage(context, owner, content, files);
  const { notRendered } = getDictionary(await context.locale()).viewers;
  const html = result.ok ? result.html : `<p>${escapeHtml(notRendered[result.reason])}</p>`;
  return `<div data-markdown-body>${html}</div>`;
}

export const handle: RouteHandle = {
  // The largest file, and the rest of the form.
  bodyMaxBytes: BODY_MAX_BYTES + 64 * 1024,
  rateClass: "counts-own-writes",
};
