import { defaultHighlightStyle } from "@codemirror/language";
import { languages } from "@codemirror/language-data";
import { describe, expect, it } from "vitest";
import { EDITOR_LANGUAGES } from "#app/enhance/editor/code-language.ts";
import { CODE_COLOURS } from "#app/enhance/editor/code-theme.ts";
import { LANGUAGE_NAMES } from "#domain/files/language.ts";

describe("the editor", () => {
  it.each(Object.entries(EDITOR_LANGUAGES))("knows %s, as %s", (ours, theirs) => {
    expect(LANGUAGE_NAMES).toContain(ours);
    expect(languages.map(({ name }) => name)).toContain(theirs);
  });

  it("has a colour of ours for every one of its own", () => {
    const coloured = defaultHighlightStyle.specs.filter(({ color }) => color);
    expect(coloured.length).toBeGreaterThan(10);
    const ours = CODE_COLOURS.specs.filter(({ color }) => /^var\(--code-[a-z]+\)$/.test(color ?? ""));
    expect(ours).toHaveLength(coloured.length);
  });
});
