import { describe, expect, it } from "vitest";
import { RenderedPageCache } from "#app/http/answers/rendered-page-cache.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";

/** A page that counts how often it is made. */
function page(html: string) {
  let made = 0;
  return {
    make: () => {
      made += 1;
      return html;
    },
    made: () => made,
  };
}

describe("a page made from the same", () => {
  it("is made once within a minute, and again in the next", () => {
    const memory = new RenderedPageCache();
    const list = page("<p>list</p>");

    const first = memory.recall("same", 0, list.make);
    expect(memory.recall("same", MINUTE_MS - 1, list.make)).toBe(first);
    expect(list.made()).toBe(1);

    expect(memory.recall("same", MINUTE_MS, list.make)).toEqual(first);
    expect(list.made()).toBe(2);
  });

  it("is not the page made from something else", () => {
    const memory = new RenderedPageCache();
    const [mine, theirs] = [page("mine"), page("theirs")];

    expect(memory.recall("a", 0, mine.make).html).toBe("mine");
    expect(memory.recall("b", 0, theirs.make).html).toBe("theirs");
    expect(memory.recall("a", 0, theirs.make).etag).not.toBe(memory.recall("b", 0, mine.make).etag);
  });

  it("is forgotten when many others were asked for since, and not before", () => {
    const memory = new RenderedPageCache();
    const [kept, old] = [page("kept"), page("old")];
    const large = "x".repeat(1024 * 1024);
    memory.recall("old", 0, old.make);
    memory.recall("kept", 0, kept.make);
    for (let i = 0; i < 20; i++) {
      memory.recall(`large ${i}`, 0, () => large);
      memory.recall("kept", 0, kept.make);
    }

    expect(kept.made()).toBe(1);
    memory.recall("old", 0, old.make);
    expect(old.made()).toBe(2);
  });
});
