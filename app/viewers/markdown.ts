import { showFrontMatterAsCode } from "#app/viewers/front-matter.ts";
import { createMarkdownParser } from "#app/viewers/markdown-parser.ts";
import { orderProse } from "#app/viewers/prose.ts";
import type { MarkdownInput, Rendered } from "#app/viewers/render-task.ts";
import { sanitiseProse } from "#app/viewers/sanitise.ts";

// The parser drops what is nested too deep; nobody reads that far, but nothing is dropped silently.
const TOO_DEEP =
  /^(?:[ \t]{100,}(?:[-*+]|\d{1,9}[.)])[ \t]|[ \t]*(?:>[ \t]?){50,}|[ \t]*(?:[-*+][ \t]+){50,}[^\s*+-])/m;

const parser = createMarkdownParser();

/**
 * Markdown as inert HTML. The parser is trusted with nothing: whatever it makes is sanitised as any foreign markup, and
 * addresses, anchors and classes are then given by us.
 */
export async function renderMarkdown({ body, words, files }: MarkdownInput): Promise<Rendered> {
  if (TOO_DEEP.test(body)) return { ok: false, reason: "too_deep" };
  const html = parser.render(showFrontMatterAsCode(body));
  return { ok: true, ...(await orderProse(sanitiseProse(html), words, files)) };
}
