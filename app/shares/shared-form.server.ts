import { type HeadersFunction, redirect } from "@remix-run/node";
import { z } from "zod";
import { toSavedFlash } from "#app/files/saved-flash.server.ts";
import { sharePath } from "#app/shares/share-wire.server.ts";
import {
  type RequestedShare,
  requireLink,
  requireShare,
  type ShareRequest,
} from "#app/shares/shared-visit.server.ts";
import { wantsPage } from "#app/web/answers/accept.ts";
import {
  answerRefusal,
  answerSuccess,
  SEE_OTHER,
  toRefusalResponse,
} from "#app/web/answers/replies.server.ts";
import { readForm } from "#app/web/door/body.server.ts";
import { toReturnPath } from "#app/web/session/gates.server.ts";
import { createShareKey } from "#app/web/session/share-key.ts";
import { openShare } from "#db/shares/share-opening.server.ts";
import { saveSharedFile } from "#db/shares/share-saving.server.ts";
import type { Share, SharedFile } from "#db/shares/shares.server.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

/** A visitor of a share can open a closed one, and save it. */
const openForm = z.object({ intent: z.literal("open"), password: z.string().max(1000).default("") });
const sharedForm = z.discriminatedUnion("intent", [openForm, z.object({ intent: z.literal("save") })]);

export async function answerForm(shareRequest: ShareRequest): Promise<Response> {
  const form = await readForm(shareRequest, sharedForm);
  if (isRefusal(form)) return answerRefusal(shareRequest.request, form, {});
  const visit = await requireShare(shareRequest);
  return form.intent === "open"
    ? openShared(shareRequest, visit, form.password)
    : saveForVisitor(shareRequest, visit.share, visit.isOpen ? visit.share.files[0] : undefined);
}

/** Adds to the loader's headers how long to wait after wrong passwords. */
export const openingHeaders: HeadersFunction = ({ loaderHeaders, actionHeaders }) => {
  const headers = new Headers(loaderHeaders);
  const wait = actionHeaders.get("Retry-After");
  if (wait) headers.set("Retry-After", wait);
  return headers;
};

export async function answerOpenForm(shareRequest: ShareRequest): Promise<Response> {
  const form = await readForm(shareRequest, openForm);
  if (isRefusal(form)) return answerRefusal(shareRequest.request, form, {});
  return openShared(shareRequest, await requireLink(shareRequest), form.password);
}

/** Opens a locked share. The key for a password goes into a cookie; the key for a counted view is in the address and lost with it. */
async function openShared(
  { request, context }: ShareRequest,
  visit: RequestedShare,
  password: string,
): Promise<Response> {
  const { share, isOpen } = visit;
  const { db, clock, env } = context.services;
  const page = sharePath(share);
  if (isOpen) return answerSuccess(request, { ok: true, url: page }, page);
  const result = await openShare(db, share, password, clock());
  if (isRefusal(result)) {
    if (result.refused === "share_not_found") throw toRefusalResponse(result);
    return answerRefusal(request, result, {});
  }
  const key = createShareKey(env.sessionSecret, share, clock());
  if (share.password !== null) context.session.keepShareKey(share.id, key);
  const url = share.password === null ? `${page}?key=${encodeURIComponent(key)}` : page;
  return answerSuccess(request, { ok: true, url }, url);
}

/** Saves a shared file for the visitor. A visitor who is not logged in is sent to the login and comes back to press the button again. */
export async function saveForVisitor(
  { request, context }: ShareRequest,
  share: Share,
  file: SharedFile | undefined,
): Promise<Response> {
  const signedIn = await context.session.signedIn();
  if (!signedIn) {
    if (!wantsPage(request.headers.get("Accept")))
      throw toRefusalResponse(Refusal("auth_required", { redirect: "/login" }));
    return redirect(`/login?next=${encodeURIComponent(toReturnPath(request))}`, SEE_OTHER);
  }
  if (!file) return answerRefusal(request, Refusal("share_locked", { share_id: share.id }), {});
  const { db, clock } = context.services;
  const result = await saveSharedFile(db, signedIn.user.id, share, file, {}, clock());
  if (isRefusal(result)) return answerRefusal(request, result, {});
  const { id, file_name } = result.file;
  context.session.flash(toSavedFlash(result));
  return answerSuccess(request, { ok: true, file_id: id, file_name, version: result.version }, `/file/${id}`);
}
