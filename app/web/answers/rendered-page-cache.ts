import { LRUCache } from "lru-cache";
import { createEtag } from "#app/web/answers/etag.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";
import { generateToken } from "#platform/ids.ts";

type LargePiece = { digest: string; number: number };
/** A rendered page in UTF-8 without the nonce of a request. Its large pieces of code are left out and go between the texts. */
export type RenderedPage = { texts: readonly Buffer[]; largePieces: readonly LargePiece[] };
type CachedPage = RenderedPage & { etag: string };

const MAX_BYTES = 16 * 1024 * 1024;
/** Pages made from more data are not cached, because they are rarely requested twice in a minute. */
const MAX_CACHED_KEY_LENGTH = 64 * 1024;
export const createNonce = () => generateToken(16);
/** A placeholder for the nonce, of the same length. Nobody can guess it, so no text written by a person can be mistaken for it. */
export const NONCE_PLACE = createNonce();
/** The placeholder before the digest and the number of a large piece of code; it cannot be guessed either. */
export const LARGE_PLACE = generateToken(16);
const LARGE_PIECE = new RegExp(`${LARGE_PLACE}([\\w-]+)\\.(\\d+);`);

export function toRenderedPage(html: string): RenderedPage {
  const [start = "", ...pieces] = html.split(LARGE_PIECE);
  const texts = [Buffer.from(start)];
  const largePieces: LargePiece[] = [];
  for (let i = 0; i < pieces.length; i += 3) {
    const [digest = "", number, after = ""] = pieces.slice(i, i + 3);
    largePieces.push({ digest, number: Number(number) });
    texts.push(Buffer.from(after));
  }
  return { texts, largePieces };
}

/** Fills in the nonce and the large code; the parts are sent one after the other. */
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
  for (let i = filled.indexOf(NONCE_PLACE); i >= 0; i = filled.indexOf(NONCE_PLACE, i + nonce.length))
    filled.write(nonce, i, "latin1");
  return filled;
}

/** Caches the pages of this minute under all the data they are made from. Nothing has to be invalidated, because changed data has another key. */
export class RenderedPageCache {
  readonly #pages = new LRUCache<string, CachedPage>({ maxSize: MAX_BYTES });
  #minute = 0;

  getOrRender(madeFrom: string, now: number, make: () => string): CachedPage {
    this.#forgetBefore(Math.floor(now / MINUTE_MS));
    const cachedPage = this.#pages.get(madeFrom);
    if (cachedPage) return cachedPage;
    const html = make();
    const page = { ...toRenderedPage(html), etag: createEtag(html) };
    if (madeFrom.length <= MAX_CACHED_KEY_LENGTH)
      this.#pages.set(madeFrom, page, { size: measure(madeFrom, page) });
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
