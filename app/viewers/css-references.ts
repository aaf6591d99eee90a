/**
 * Takes out of a style sheet whatever would make a browser fetch something: imports, and every `url()` and its kin that is
 * neither a picture inside the text nor a place in the same document. What is not certain is removed whole.
 */
const LOADS = /@import\b|@font-face\b|@namespace\b|\b(?:url|src|image|image-set|cross-fade|attr)\s*\(/i;
const IMPORT = /@(?:import|namespace)\b[^;{}]*(?:;|$)/gi;
const INSIDE = /\burl\(\s*(["']?)(?:#[\w.:-]*|data:image\/(?:png|jpe?g|gif|webp);base64,[\w+/=\s]*)\1\s*\)/gi;
const OUTSIDE = /\burl\(\s*(?:"[^"\n]*"|'[^'\n]*'|[^"'()\s]*)\s*\)/gi;

export function withoutReferences(css: string): string {
  const plain = css.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, " ");
  if (!loads(decoded(plain))) return plain;
  const kept: string[] = [];
  const bare = plain
    .replace(IMPORT, "")
    .replace(INSIDE, (reference) => `⟦${kept.push(reference) - 1}⟧`)
    .replace(OUTSIDE, "none");
  if (loads(decoded(bare))) return "";
  return bare.replace(/⟦(\d+)⟧/g, (_, index: string) => kept[Number(index)] ?? "");
}

const loads = (css: string) => LOADS.test(css);

/** As a browser reads it: an escape hides a letter from a pattern, not from the browser. */
function decoded(css: string): string {
  return css.replace(/\\(?:([\da-f]{1,6})\s?|([^\n]))/gi, (_, code: string | undefined, char: string) =>
    code ? String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff)) : char,
  );
}
