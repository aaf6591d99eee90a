import { compiler } from "markdown-to-jsx/html";
import { orderProse } from "#app/viewers/prose.ts";
import type { ProseWords, Rendered } from "#app/viewers/render-task.ts";
import { sanitiseProse } from "#app/viewers/sanitise.ts";

// The compiler's time grows with the square of the depth; nobody reads what is nested this far.
const TOO_DEEP =
  /^(?:[ \t]{100,}(?:[-*+]|\d{1,9}[.)])[ \t]|[ \t]*(?:>[ \t]?){50,}|[ \t]*(?:[-*+][ \t]+){50,}[^\s*+-])/m;
const FRONTMATTER = /^---[ \t]*\r?\n([\s\S]{0,20000}?)\r?\n---[ \t]*(?:\r?\n|$)/;

/**
 * Markdown as inert HTML. The compiler is trusted with nothing: whatever it makes is sanitised as any foreign markup, and
 * addresses, anchors and classes are then given by us.
 */
export async function renderMarkdown(body: string, words: ProseWords): Promise<Rendered> {
  if (TOO_DEEP.test(body)) return { ok: false, reason: "too_deep" };
  const html = compiler(withFrontmatterAsCode(body), {
    disableFrontmatter: true,
    sanitizer: (address) => address,
    slugify: (text) => text,
    wrapper: null,
  });
  return { ok: true, ...(await orderProse(sanitiseProse(withoutFramesets(html)), words)) };
}

/** A parser that meets this element first takes the body of the document away; it is shown as the text it is. */
const withoutFramesets = (html: string) => html.replace(/<(?=\/?frameset\b)/gi, "&lt;");

/** Facts at the head of a document are shown as what they are: YAML. */
function withFrontmatterAsCode(body: string): string {
  return body.replace(FRONTMATTER, (_, facts: string) =>
    facts.includes("```") ? `${facts}\n` : `\`\`\`yaml\n${facts}\n\`\`\`\n\n`,
  );
}
