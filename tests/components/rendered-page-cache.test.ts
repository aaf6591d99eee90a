import { describe, expect, it } from "vitest";
import {
  createNonce,
  fillPage,
  LARGE_PLACE,
  NONCE_PLACE,
  type RenderedPage,
  RenderedPageCache,
  toRenderedPage,
} from "#app/web/answers/rendered-page-cache.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";

/** A page that counts how often it is rendered. */
function page(html: string) {
  let renders = 0;
  return {
    make: () => {
      renders += 1;
      return html;
    },
    made: () => renders,
  };
}

const readPage = (page: RenderedPage, nonce = createNonce(), large = new Map<string, Uint8Array[]>()) =>
  Buffer.concat(fillPage(page, nonce, large)).toString();

describe("a page made from the same", () => {
  it("is made once within a minute, and again in the next", () => {
    const memory = new RenderedPageCache();
    const list = page("<p>list</p>");

    const first = memory.getOrRender("same", 0, list.make);
    expect(memory.getOrRender("same", MINUTE_MS - 1, list.make)).toBe(first);
    expect(list.made()).toBe(1);

    expect(memory.getOrRender("same", MINUTE_MS, list.make)).toEqual(first);
    expect(list.made()).toBe(2);
  });

  it("is not the page made from something else", () => {
    const memory = new RenderedPageCache();
    const [mine, theirs] = [page("mine"), page("theirs")];

    expect(readPage(memory.getOrRender("a", 0, mine.make))).toBe("mine");
    expect(readPage(memory.getOrRender("b", 0, theirs.make))).toBe("theirs");
    expect(memory.getOrRender("a", 0, theirs.make).etag).not.toBe(memory.getOrRender("b", 0, mine.make).etag);
  });

  it("is forgotten after many others were requested, and not before", () => {
    const memory = new RenderedPageCache();
    const [kept, old] = [page("kept"), page("old")];
    const large = "x".repeat(1024 * 1024);
    memory.getOrRender("old", 0, old.make);
    memory.getOrRender("kept", 0, kept.make);
    for (let i = 0; i < 20; i++) {
      memory.getOrRender(`large ${i}`, 0, () => large);
      memory.getOrRender("kept", 0, kept.make);
    }

    expect(kept.made()).toBe(1);
    memory.getOrRender("old", 0, old.make);
    expect(old.made()).toBe(2);
  });
});

describe("a rendered page", () => {
  it("gets each request's nonce everywhere, and keeps nothing of the previous request", () => {
    const rendered = toRenderedPage(
      `<b nonce="${NONCE_PLACE}">שלום …</b>${NONCE_PLACE}${NONCE_PLACE}<i nonce="${NONCE_PLACE}">`,
    );
    const nonces = [createNonce(), createNonce()];

    expect(nonces.map((nonce) => readPage(rendered, nonce))).toEqual(
      nonces.map((nonce) => `<b nonce="${nonce}">שלום …</b>${nonce}${nonce}<i nonce="${nonce}">`),
    );
  });

  it("gets its large code piece by piece, and nothing instead of a missing piece", () => {
    const rendered = toRenderedPage(
      `<pre>${LARGE_PLACE}code-1.1;|${LARGE_PLACE}code-1.0;|${LARGE_PLACE}gone.0;</pre>${NONCE_PLACE}`,
    );
    const large = new Map([["code-1", [Buffer.from("first"), Buffer.from("זה")]]]);

    expect(readPage(rendered, "n".repeat(NONCE_PLACE.length), large)).toBe(
      `<pre>זה|first|</pre>${"n".repeat(NONCE_PLACE.length)}`,
    );
  });
});
