import { expect, it } from "vitest";
import { escapeHtml } from "#domain/text/escape-html.ts";

it("escapes what HTML would read as markup or as the end of an attribute", () => {
  expect(escapeHtml(`<b title="it's">&amp;</b>`)).toBe("&lt;b title=&quot;it's&quot;&gt;&amp;amp;&lt;/b&gt;");
});
