import { toPlaceKey } from "#app/shares/place-key.server.ts";
import { sharePath } from "#app/shares/share-wire.server.ts";
import type { WebServices } from "#app/web/request-context.ts";
import { findLink, findShare, type Share, type SharedFile } from "#db/shares/shares.server.ts";
import { embedHeightPx, isEmbeddable, toEmbedCode } from "#domain/shares/embed.ts";

export type FoundFile = { share: Share; file: SharedFile };
type SharedName = { id: string; place: string | null };

/** Finds a share of one file by its id, or a file of a link by the token and its key in the address. */
export async function findSharedFile(
  { db, clock }: Pick<WebServices, "db" | "clock">,
  { id, place }: SharedName,
): Promise<FoundFile | null> {
  const share = place === null ? await findShare(db, id, clock()) : await findLink(db, id, clock());
  if (!share) return null;
  // All places of a closed link get the same answer, so that nobody learns which exist.
  const isRequestedFile = (file: SharedFile) =>
    place === null || !isEmbeddable(share) || toPlaceKey(share, file) === place;
  const file = share.files.find(isRequestedFile);
  return file ? { share, file } : null;
}

const SHARED_PATH = /^\/(?:share\/([\w-]+)|shared\/([\w-]+)\/([\w-]+))\/?$/;

/** Parses the full address of a shared file's page; null for any other address. */
export function parseSharedUrl(request: Request, address: string): SharedName | null {
  const url = URL.parse(address);
  if (url?.origin !== new URL(request.url).origin) return null;
  const [, id, token, place] = SHARED_PATH.exec(url.pathname) ?? [];
  return id !== undefined ? { id, place: null } : token && place ? { id: token, place } : null;
}

const LINK_PATH = /^\/shared\/([\w-]+)\/?$/;

/** True if a full address is that of a working link to a folder or to several files. */
export async function isWorkingLink(
  { db, clock }: Pick<WebServices, "db" | "clock">,
  request: Request,
  address: string,
): Promise<boolean> {
  const url = URL.parse(address);
  const [, token] = LINK_PATH.exec(url?.pathname ?? "") ?? [];
  if (!token || url?.origin !== new URL(request.url).origin) return false;
  return (await findLink(db, token, clock())) !== null;
}

export const getSharedPath = ({ share, file }: FoundFile): string =>
  share.kind === "file" ? sharePath(share) : `${sharePath(share)}/${toPlaceKey(share, file)}`;

/** The code that embeds a shared file, and its oEmbed address; null if it cannot be embedded. */
export function createEmbedOffer(request: Request, sharedFile: FoundFile, lines: number) {
  if (!isEmbeddable(sharedFile.share)) return null;
  const { origin } = new URL(request.url);
  const address = origin + getSharedPath(sharedFile);
  const title = sharedFile.file.file_name;
  const code = toEmbedCode({ src: `${address}/embed`, title, heightPx: embedHeightPx(lines) });
  return { code, oembed: `${origin}/oembed?format=json&url=${encodeURIComponent(address)}` };
}
