import { describe, expect, it } from "vitest";
import { attachment } from "#app/http/answers/attachment.ts";
import { toVisibleName } from "#domain/files/visible-name.ts";

const INVISIBLE = {
  "bidirectional controls": "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069",
  "joiners and spaces without width": "\u200b\u200c\u200d\u2060\ufeff\u180e",
  "invisible operators and old format controls": "\u2061\u2062\u2063\u2064\u206a\u206f\u00ad",
  "fillers and selectors": "\u034f\u115f\u1160\u3164\uffa0\ufe0f\u{e0100}",
  "tags and annotations": "\u{e0001}\u{e0041}\ufff9\ufffa\ufffb",
  "separators of lines and paragraphs": "\u2028\u2029",
};

describe("a name that leaves for another system", () => {
  it.each(Object.entries(INVISIBLE))("has no %s", (_, characters) => {
    for (const character of characters) expect(toVisibleName(`a${character}b.py`)).toBe("ab.py");
    expect(attachment(`a${characters}b.py`)).toBe(`attachment; filename="ab.py"; filename*=UTF-8''ab.py`);
  });

  it("keeps every letter, mark and picture that is seen", () => {
    for (const name of ["שָׁלוֹם 🙂.md", "naïve e\u0301.txt", "日本語.py", "a b_c-d.tar.gz"])
      expect(toVisibleName(name)).toBe(name);
  });

  it("is never empty", () => {
    expect(toVisibleName("\u202e\u200b")).toBe("_");
  });
});
