import { createHash } from "node:crypto";
import type { Visit } from "#app/http/visit.ts";
import type { HighlightedCode } from "#app/viewers/highlight.server.ts";

const LARGE_CHARACTERS = 16 * 1024;

/**
 * Takes large HTML out of a loader's data and leaves its digest there. Remix writes that data as JSON and reads it again, more than once
 * for each page; a long file would hold up everybody else. `useLargeHtml` finds the HTML again.
 */
export function moveLargeHtml(
  { largeHtml }: Pick<Visit, "largeHtml">,
  code: HighlightedCode,
): HighlightedCode {
  if (code.html.length < LARGE_CHARACTERS) return code;
  const digest = createHash("sha256").update(code.html).digest("base64url");
  largeHtml.set(digest, code.html);
  return { ...code, html: digest };
}
