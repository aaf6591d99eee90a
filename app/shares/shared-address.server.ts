import type { WebServices } from "#app/http/request-context.ts";
import { toPlaceKey } from "#app/shares/place-key.server.ts";
import { sharePath } from "#app/shares/share-wire.server.ts";
import { findLink, findShare, type Share, type SharedFile } from "#db/shares/shares.server.ts";
import { embedHeightPx, isEmbeddable, writeEmbedCode } from "#domain/shares/embed.ts";

/** One file of a share, by the address of its page. */
export type FoundFile = { share: Share; file: SharedFile };
type SharedName = { id: string; place: string | null };

/** A share of one file is named by its id; a file of a link by the token and its place. */
export async function findSharedFile(
  { db, clock }: Pick<WebServices, "db" | "clock">,
  { id, place }: SharedName,
): Promise<FoundFile | null> {
  const share = place === null ? await findShare(db, id, clock()) : await findLink(db, id, clock());
  if (!share) return null;
  // What is closed is the same for every place, so that nobody learns which places it has.
  const isNamed = (one: SharedFile) =>
    place === null || !isEmbeddable(share) || toPlaceKey(share, one) === place;
  const file = share.files.find(isNamed);
  return file ? { share, file } : null;
}

const SHARED_PATH = /^\/(?:share\/([\w-]+)|shared\/([\w-]+)\/([\w-]+))\/?$/;

/** What the whole address of a shared file's page names; null for every other address. */
export function parseSharedUrl(request: Request, written: string): SharedName | null {
  const url = URL.parse(written);
  if (url?.origin !== new URL(request.url).origin) return null;
  const [, id, token, place] = SHARED_PATH.exec(url.pathname) ?? [];
  return id !== undefined ? { id, place: null } : token && place ? { id: token, place } : null;
}

const LINK_PATH = /^\/shared\/([\w-]+)\/?$/;

/** Whether a whole address is that of a link to a folder or to several files, and it works. */
export async function isWorkingLink(
  { db, clock }: Pick<WebServices, "db" | "clock">,
  request: Request,
  written: string,
): Promise<boolean> {
  const url = URL.parse(written);
  const [, token] = LINK_PATH.exec(url?.pathname ?? "") ?? [];
  if (!token || url?.origin !== new URL(request.url).origin) return false;
  return (await findLink(db, token, clock())) !== null;
}

export const getSharedPath = ({ share, file }: FoundFile): string =>
  share.kind === "file" ? sharePath(share) : `${sharePath(share)}/${toPlaceKey(share, file)}`;

/** The code that puts a shared file into other pages, and where programs ask for it; null where it cannot be embedded. */
export function offerEmbedding(request: Request, found: FoundFile, lines: number) {
  if (!isEmbeddable(found.share)) return null;
  const { origin } = new URL(request.url);
  const address = origin + getSharedPath(found);
  const title = found.file.file_name;
  const code = writeEmbedCode({ src: `${address}/embed`, title, heightPx: embedHeightPx(lines) });
  return { code, oembed: `${origin}/oembed?format=json&url=${encodeURIComponent(address)}` };
}
