/**
 * Removes from a style sheet everything that could make a browser fetch something: imports, and every `url()` or similar that is neither an
 * embedded picture nor a reference within the document. If in doubt, the whole sheet is removed.
 */
const LOADS = /@import\b|@font-face\b|@namespace\b|\b(?:url|src|image|image-set|cross-fade|attr)\s*\(/i;
const IMPORT = /@(?:import|namespace)\b[^;{}]*(?:;|$)/gi;
const INSIDE = /\burl\(\s*(["']?)(?:#[\w.:-]*|data:image\/(?:png|jpe?g|gif|webp);base64,[\w+/=\s]*)\1\s*\)/gi;
const OUTSIDE = /\burl\(\s*(?:"[^"\n]*"|'[^'\n]*'|[^"'()\s]*)\s*\)/gi;

export function removeReferences(css: string): string {
  const plain = css.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, " ");
  if (!loads(decodeEscapes(plain))) return plain;
  const references: string[] = [];
  const bare = plain
    .replace(IMPORT, "")
    .replace(INSIDE, (reference) => `⟦${references.push(reference) - 1}⟧`)
    .replace(OUTSIDE, "none");
  if (loads(decodeEscapes(bare))) return "";
  return bare.replace(/⟦(\d+)⟧/g, (_, index: string) => references[Number(index)] ?? "");
}

const loads = (css: string) => LOADS.test(css);

/** Decodes escapes as a browser does, because they hide letters only from a pattern. */
function decodeEscapes(css: string): string {
  return css.replace(/\\(?:([\da-f]{1,6})\s?|([^\n]))/gi, (_, code: string | undefined, char: string) =>
    code ? String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff)) : char,
  );
}
