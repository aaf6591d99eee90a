import { type AppLoadContext, redirect } from "@remix-run/node";
import { toPlaceKey } from "#app/shares/place-key.server.ts";
import { sharePath } from "#app/shares/share-wire.server.ts";
import { wantsPage } from "#app/web/answers/accept.ts";
import { toRefusalResponse } from "#app/web/answers/replies.server.ts";
import { isShareKey } from "#app/web/session/share-key.ts";
import {
  countView,
  findLink,
  findShare,
  type LivingShare,
  type Share,
  type SharedFile,
} from "#db/shares/shares.server.ts";
import { Refusal } from "#domain/refusal.ts";
import { toEventShareName } from "#domain/shares/share.ts";

/** A visit to a share. It needs no account, and nothing about the visitor is stored. */
export type ShareRequest = {
  request: Request;
  context: AppLoadContext;
  params: Record<string, string | undefined>;
};

export type RequestedShare = {
  share: LivingShare;
  isOwner: boolean;
  /** True if it is open to all or theirs, or if they have a key. */
  isOpen: boolean;
  key: string | null;
};

export function emitShareNotFound({ context }: ShareRequest, share_id: string): void {
  context.services.db.emit("share_view_not_found", { share_id: toEventShareName(share_id) });
}

/** Answers alike for a share that never existed, has ended or was revoked. */
function answerNotFound(shareRequest: ShareRequest, share_id: string): Response {
  emitShareNotFound(shareRequest, share_id);
  return toRefusalResponse(Refusal("share_not_found", { share_id }));
}

export const requireShare = (shareRequest: ShareRequest): Promise<RequestedShare> =>
  requireVisit(shareRequest, shareRequest.params.id ?? "", findShare);

export const requireLink = (shareRequest: ShareRequest): Promise<RequestedShare> =>
  requireVisit(shareRequest, shareRequest.params.token ?? "", findLink);

async function requireVisit(
  shareRequest: ShareRequest,
  id: string,
  find: typeof findShare,
): Promise<RequestedShare> {
  const { request, context } = shareRequest;
  const { db, clock, env } = context.services;
  const now = clock();
  const share = await find(db, id, now);
  if (!share) throw answerNotFound(shareRequest, id);
  const isOwner = (await context.session.signedIn())?.user.id === share.user_id;
  const key = new URL(request.url).searchParams.get("key");
  const isFree = share.password === null && share.views_left === null;
  const isOpen =
    isFree ||
    isOwner ||
    [key, context.session.shareKey(id)].some((heldKey) => isShareKey(env.sessionSecret, share, heldKey, now));
  if (!isOpen && share.views_left === 0) throw answerNotFound(shareRequest, id);
  return { share, isOwner, isOpen, key };
}

/** A closed share is opened on its own page; all its other addresses redirect there. */
export function requireOpen({ request }: ShareRequest, { share, isOpen }: RequestedShare): void {
  if (isOpen) return;
  if (wantsPage(request.headers.get("Accept"))) throw redirect(sharePath(share));
  throw toRefusalResponse(Refusal("share_locked", { share_id: share.id }));
}

/** Finds a file of a link by its key in the address. A closed link does not reveal which files it has. */
export async function requireLinkedFile(
  shareRequest: ShareRequest,
): Promise<RequestedShare & { file: SharedFile }> {
  const visit = await requireLink(shareRequest);
  requireOpen(shareRequest, visit);
  const file = visit.share.files.find((file) => toPlaceKey(visit.share, file) === shareRequest.params.place);
  if (!file) throw answerNotFound(shareRequest, visit.share.id);
  return { ...visit, file };
}

/** Counts the view of a page. A view of a limited share is counted when it is opened instead. */
export async function countVisit(
  shareRequest: ShareRequest,
  { share, isOwner }: { share: Share; isOwner: boolean },
) {
  const { request, context } = shareRequest;
  const isUnseen = request.method !== "GET" || context.early !== null;
  if (isOwner || share.views_left !== null || isUnseen) return;
  const { db, clock } = context.services;
  if (!(await countView(db, share, clock()))) throw answerNotFound(shareRequest, share.id);
}

/** Runs the work and reports a fault by its kind only, without its message. */
export async function reportShareFaults<T>(shareRequest: ShareRequest, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Response)) {
      const share_id = toEventShareName(shareRequest.params.id ?? shareRequest.params.token ?? "");
      const kind = error instanceof Error ? error.name : typeof error;
      shareRequest.context.services.db.emit("share_view_error", { share_id, error: kind });
    }
    throw error;
  }
}

const CACHE_SECONDS = 10;

/** Pages that are the same for everyone are cached for seconds, so that a revoked share disappears soon. Pages opened with a key are not stored. */
export async function createCachingHeaders(
  { context }: ShareRequest,
  share: Share,
): Promise<{ "Cache-Control": string }> {
  const isFree = share.password === null && share.views_left === null;
  if (!isFree) return { "Cache-Control": "private, no-store" };
  const isAnonymous = (await context.session.signedIn()) === null;
  return { "Cache-Control": isAnonymous ? `public, max-age=${CACHE_SECONDS}` : "private, no-cache" };
}
