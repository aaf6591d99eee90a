import { type AppLoadContext, redirect } from "@remix-run/node";
import { wantsPage } from "#app/http/answers/accept.ts";
import { refusalResponse } from "#app/http/answers/replies.server.ts";
import { isShareKey } from "#app/http/session/share-key.ts";
import { toPlaceKey } from "#app/shares/place-key.server.ts";
import { sharePath } from "#app/shares/share-wire.server.ts";
import {
  countView,
  findLink,
  findShare,
  type LivingShare,
  type Share,
  type SharedFile,
} from "#db/shares/shares.server.ts";
import { Refusal } from "#domain/refusal.ts";
import { shareInEvents } from "#domain/shares/share.ts";

/** A visit to what somebody made public. Nobody has to be known for it, and nothing is kept of who came. */
export type ShareRequest = {
  request: Request;
  context: AppLoadContext;
  params: Record<string, string | undefined>;
};

export type RequestedShare = {
  share: LivingShare;
  isOwner: boolean;
  /** Whether this visitor may read: it is open to all, it is theirs, or they hold a key. */
  isOpen: boolean;
  /** The key in the address, to be handed on to the addresses of the same page. */
  key: string | null;
};

export function announceMissing({ context }: ShareRequest, share_id: string): void {
  context.services.db.emit("share_view_not_found", { share_id: shareInEvents(share_id) });
}

/** One answer for what never was, what has ended and what was revoked. */
function notFound(shareRequest: ShareRequest, share_id: string): Response {
  announceMissing(shareRequest, share_id);
  return refusalResponse(Refusal("share_not_found", { share_id }));
}

export const requireShare = (shareRequest: ShareRequest): Promise<RequestedShare> =>
  visit(shareRequest, shareRequest.params.id ?? "", findShare);

export const requireLink = (shareRequest: ShareRequest): Promise<RequestedShare> =>
  visit(shareRequest, shareRequest.params.token ?? "", findLink);

async function visit(
  shareRequest: ShareRequest,
  id: string,
  find: typeof findShare,
): Promise<RequestedShare> {
  const { request, context } = shareRequest;
  const { db, clock, env } = context.services;
  const now = clock();
  const share = await find(db, id, now);
  if (!share) throw notFound(shareRequest, id);
  const isOwner = (await context.signedIn())?.user.id === share.user_id;
  const key = new URL(request.url).searchParams.get("key");
  const isFree = share.password === null && share.views_left === null;
  const isOpen =
    isFree ||
    isOwner ||
    [key, context.shareKey(id)].some((held) => isShareKey(env.sessionSecret, share, held, now));
  if (!isOpen && share.views_left === 0) throw notFound(shareRequest, id);
  return { share, isOwner, isOpen, key };
}

/** What is closed is opened on its page, to which every other address of it leads. */
export function requireOpen({ request }: ShareRequest, { share, isOpen }: RequestedShare): void {
  if (isOpen) return;
  if (wantsPage(request.headers.get("Accept"))) throw redirect(sharePath(share));
  throw refusalResponse(Refusal("share_locked", { share_id: share.id }));
}

/** One file of a link by its place. A link that is closed does not say which places it has. */
export async function visitLinkedFile(
  shareRequest: ShareRequest,
): Promise<RequestedShare & { file: SharedFile }> {
  const visit = await requireLink(shareRequest);
  requireOpen(shareRequest, visit);
  const file = visit.share.files.find((one) => toPlaceKey(visit.share, one) === shareRequest.params.place);
  if (!file) throw notFound(shareRequest, visit.share.id);
  return { ...visit, file };
}

/** Counts a page that was really looked at. A limited share is counted when it is opened instead. */
export async function countLook(
  shareRequest: ShareRequest,
  { share, isOwner }: { share: Share; isOwner: boolean },
) {
  const { request, context } = shareRequest;
  const isUnseen = request.method !== "GET" || context.early !== null;
  if (isOwner || share.views_left !== null || isUnseen) return;
  const { db, clock } = context.services;
  if (!(await countView(db, share, clock()))) throw notFound(shareRequest, share.id);
}

/** Runs what answers a visit, and announces what failed by its kind alone. */
export async function announcingFaults<T>(shareRequest: ShareRequest, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Response)) {
      const share_id = shareInEvents(shareRequest.params.id ?? shareRequest.params.token ?? "");
      const kind = error instanceof Error ? error.name : typeof error;
      shareRequest.context.services.db.emit("share_view_error", { share_id, error: kind });
    }
    throw error;
  }
}

const SECONDS = 10;

/** What everyone sees alike may be kept for seconds, so that a share that is revoked is gone; what a key opens is not kept. */
export async function cachingHeaders(
  { context }: ShareRequest,
  share: Share,
): Promise<{ "Cache-Control": string }> {
  const isFree = share.password === null && share.views_left === null;
  if (!isFree) return { "Cache-Control": "private, no-store" };
  const nobody = (await context.signedIn()) === null;
  return { "Cache-Control": nobody ? `public, max-age=${SECONDS}` : "private, no-cache" };
}
