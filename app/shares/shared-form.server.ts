import { type HeadersFunction, redirect } from "@remix-run/node";
import { z } from "zod";
import { toSavedFlash } from "#app/files/saved-flash.server.ts";
import { wantsPage } from "#app/http/answers/accept.ts";
import { done, refusalResponse, refused, SEE_OTHER } from "#app/http/answers/replies.server.ts";
import { readForm } from "#app/http/door/body.server.ts";
import { returnPath } from "#app/http/session/gates.server.ts";
import { newShareKey } from "#app/http/session/share-key.ts";
import { sharePath } from "#app/shares/share-wire.server.ts";
import {
  type RequestedShare,
  requireLink,
  requireShare,
  type ShareRequest,
} from "#app/shares/shared-visit.server.ts";
import { openShare } from "#db/shares/share-opening.server.ts";
import { saveShared } from "#db/shares/share-saving.server.ts";
import type { Share, SharedFile } from "#db/shares/shares.server.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

/** What a visitor of a share can do: open it where it is closed, and keep it. */
const openForm = z.object({ intent: z.literal("open"), password: z.string().max(1000).default("") });
const sharedForm = z.discriminatedUnion("intent", [openForm, z.object({ intent: z.literal("save") })]);

export async function answerForm(shareRequest: ShareRequest): Promise<Response> {
  const form = await readForm(shareRequest, sharedForm);
  if (isRefusal(form)) return refused(shareRequest.request, form, {});
  const visit = await requireShare(shareRequest);
  return form.intent === "open"
    ? open(shareRequest, visit, form.password)
    : keep(shareRequest, visit.share, visit.isOpen ? visit.share.files[0] : undefined);
}

/** The headers of a page with that form: what its loader says, and how long to wait after wrong passwords. */
export const openingHeaders: HeadersFunction = ({ loaderHeaders, actionHeaders }) => {
  const kept = new Headers(loaderHeaders);
  const wait = actionHeaders.get("Retry-After");
  if (wait) kept.set("Retry-After", wait);
  return kept;
};

/** The form before a link to several files, each of which is kept on its own page. */
export async function answerOpening(shareRequest: ShareRequest): Promise<Response> {
  const form = await readForm(shareRequest, openForm);
  if (isRefusal(form)) return refused(shareRequest.request, form, {});
  return open(shareRequest, await requireLink(shareRequest), form.password);
}

/** A password's key goes into a cookie; that of a view stands in the address and is forgotten with it. */
async function open(
  { request, context }: ShareRequest,
  visit: RequestedShare,
  password: string,
): Promise<Response> {
  const { share, isOpen } = visit;
  const { db, clock, env } = context.services;
  const page = sharePath(share);
  if (isOpen) return done(request, { ok: true, url: page }, page);
  const opened = await openShare(db, share, password, clock());
  if (isRefusal(opened)) {
    if (opened.refused === "share_not_found") throw refusalResponse(opened);
    return refused(request, opened, {});
  }
  const key = newShareKey(env.sessionSecret, share, clock());
  if (share.password !== null) context.keepShareKey(share.id, key);
  const url = share.password === null ? `${page}?key=${encodeURIComponent(key)}` : page;
  return done(request, { ok: true, url }, url);
}

/** Whoever is not logged in does so first and comes back to press the button again. */
export async function keep(
  { request, context }: ShareRequest,
  share: Share,
  file: SharedFile | undefined,
): Promise<Response> {
  const signedIn = await context.signedIn();
  if (!signedIn) {
    if (!wantsPage(request.headers.get("Accept")))
      throw refusalResponse(Refusal("auth_required", { redirect: "/login" }));
    return redirect(`/login?next=${encodeURIComponent(returnPath(request))}`, SEE_OTHER);
  }
  if (!file) return refused(request, Refusal("share_locked", { share_id: share.id }), {});
  const { db, clock } = context.services;
  const saved = await saveShared(db, signedIn.user.id, share, file, {}, clock());
  if (isRefusal(saved)) return refused(request, saved, {});
  const { id, file_name } = saved.file;
  context.flash(toSavedFlash(saved));
  return done(request, { ok: true, file_id: id, file_name, version: saved.version }, `/file/${id}`);
}
