import { LRUCache } from "lru-cache";
import { createEtag } from "#app/http/answers/etag.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";
import { newToken } from "#platform/ids.ts";

/** A large piece of code in a page: the digest of the code, and the number of the piece. */
type LargePiece = { digest: string; number: number };
/** A page as it was made, in UTF-8, without the nonce of a request and without its large code, which stands between the texts. */
export type RenderedPage = { texts: readonly Buffer[]; largePieces: readonly LargePiece[] };
type RememberedPage = RenderedPage & { etag: string };

const MAX_BYTES = 16 * 1024 * 1024;
/** Pages made from more data than this are not cached, because they are rarely requested twice in a minute. */
const MAX_MADE_FROM = 64 * 1024;
export const newNonce = () => newToken(16);
/** Stands where a request's nonce goes, and is as long. Nobody can guess it, so nothing a person wrote is taken for it. */
export const NONCE_PLACE = newNonce();
/** Stands before the digest and the number of a piece of large code, in the same way. */
export const LARGE_PLACE = newToken(16);
const LARGE_PIECE = new RegExp(`${LARGE_PLACE}([\\w-]+)\\.(\\d+);`);

export function toRenderedPage(html: string): RenderedPage {
  const [start = "", ...rest] = html.split(LARGE_PIECE);
  const texts = [Buffer.from(start)];
  const largePieces: LargePiece[] = [];
  for (let i = 0; i < rest.length; i += 3) {
    const [digest = "", number, after = ""] = rest.slice(i, i + 3);
    largePieces.push({ digest, number: Number(number) });
    texts.push(Buffer.from(after));
  }
  return { texts, largePieces };
}

/** A page with its nonce and its large code in place, as parts to be sent one after the other. */
export function fillPage(
  { texts, largePieces }: RenderedPage,
  nonce: string,
  largeHtml: ReadonlyMap<string, readonly Uint8Array[]>,
): Uint8Array[] {
  return texts.flatMap((text, i) => {
    const piece = largePieces[i - 1];
    const large = piece && largeHtml.get(piece.digest)?.[piece.number];
    return large ? [large, withNonce(text, nonce)] : [withNonce(text, nonce)];
  });
}

function withNonce(text: Buffer, nonce: string): Buffer {
  const filled = Buffer.from(text);
  for (let at = filled.indexOf(NONCE_PLACE); at >= 0; at = filled.indexOf(NONCE_PLACE, at + nonce.length))
    filled.write(nonce, at, "latin1");
  return filled;
}

/**
 * Pages of this minute, by all the data they are made from: the same data gives the same page. Nothing has to be invalidated, because
 * changed data has another key.
 */
export class RenderedPageCache {
  readonly #pages = new LRUCache<string, RememberedPage>({ maxSize: MAX_BYTES });
  #minute = 0;

  recall(madeFrom: string, now: number, make: () => string): RememberedPage {
    this.#forgetBefore(Math.floor(now / MINUTE_MS));
    const known = this.#pages.get(madeFrom);
    if (known) return known;
    const html = make();
    const page = { ...toRenderedPage(html), etag: createEtag(html) };
    if (madeFrom.length <= MAX_MADE_FROM) this.#pages.set(madeFrom, page, { size: measure(madeFrom, page) });
    return page;
  }

  #forgetBefore(minute: number): void {
    if (minute === this.#minute) return;
    this.#minute = minute;
    this.#pages.clear();
  }
}

const measure = (madeFrom: string, { texts }: RenderedPage) =>
  texts.reduce((sum, text) => sum + text.length, madeFrom.length);
