import { createEtag } from "#app/http/answers/etag.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";
import { newToken } from "#platform/ids.ts";

/** A page as it was made, without the nonce of the request it was made for. */
type RememberedPage = { html: string; etag: string };

const MAX_CHARACTERS = 16 * 1024 * 1024;
/** Pages made from more data than this are not cached, because they are rarely requested twice in a minute. */
const MAX_MADE_FROM = 64 * 1024;
/** Pages say how long ago things were, to the minute. */
/** Stands where a request's nonce goes. Nobody can guess it, so nothing a person wrote is taken for it. */
export const NONCE_PLACE = newToken(16);
/** Stands before the digest and the number of a piece of large code, in the same way. */
export const LARGE_PLACE = newToken(16);
const LARGE_PIECE = new RegExp(`${LARGE_PLACE}([\\w-]+)\\.(\\d+);`);

/** A page with its large code in place, as parts to be sent one after the other; the page itself where it has none. */
export function putLargeCode(
  html: string,
  largeHtml: ReadonlyMap<string, readonly Uint8Array[]>,
): string | (string | Uint8Array)[] {
  const [start = "", ...rest] = html.split(LARGE_PIECE);
  if (rest.length === 0) return html;
  const parts: (string | Uint8Array)[] = [start];
  for (let i = 0; i < rest.length; i += 3) {
    const [name = "", number, after = ""] = rest.slice(i, i + 3);
    parts.push(largeHtml.get(name)?.[Number(number)] ?? "", after);
  }
  return parts;
}

/**
 * Pages of this minute, by all the data they are made from: the same data gives the same page. Nothing has to be invalidated, because
 * changed data has another key. Pages unused for longest are dropped first.
 */
export class RenderedPageCache {
  readonly #pages = new Map<string, RememberedPage>();
  #characters = 0;
  #minute = 0;

  recall(madeFrom: string, now: number, make: () => string): RememberedPage {
    this.#forgetBefore(Math.floor(now / MINUTE_MS));
    const known = this.#pages.get(madeFrom);
    if (known) {
      this.#pages.delete(madeFrom);
      this.#pages.set(madeFrom, known);
      return known;
    }
    const html = make();
    const page = { html, etag: createEtag(html) };
    if (madeFrom.length <= MAX_MADE_FROM) this.#keep(madeFrom, page);
    return page;
  }

  #forgetBefore(minute: number): void {
    if (minute === this.#minute) return;
    this.#minute = minute;
    this.#pages.clear();
    this.#characters = 0;
  }

  #keep(madeFrom: string, page: RememberedPage): void {
    this.#pages.set(madeFrom, page);
    this.#characters += madeFrom.length + page.html.length;
    for (const [oldest, { html }] of this.#pages) {
      if (this.#characters <= MAX_CHARACTERS) return;
      this.#pages.delete(oldest);
      this.#characters -= oldest.length + html.length;
    }
  }
}
