import { createHash } from "node:crypto";
import hljs from "highlight.js/lib/core";
import type { LanguageName } from "#domain/language.ts";

/**
 * Source code as HTML, one element per line, coloured where that is affordable. Everything that comes from the file is
 * escaped; the only markup is ours.
 */
export type HighlightedCode = { html: string; coloured: boolean };

// Colouring costs about 0.2 ms per KB on the thread that serves everyone.
const COLOUR_MAX_LENGTH = 200 * 1024;
const CACHE_MAX_LENGTH = 8 * 1024 * 1024;

// Names of the highlighter where they are not ours; null where it has nothing to colour.
const GRAMMARS: Partial<Record<LanguageName, string | null>> = {
  csv: null,
  html: "xml",
  svg: "xml",
  text: null,
  toml: "ini",
  vue: "xml",
};

const cache = new Map<string, HighlightedCode>();
let cachedLength = 0;

export async function highlight(body: string, language: LanguageName): Promise<HighlightedCode> {
  const grammar = GRAMMARS[language] === undefined ? language : GRAMMARS[language];
  if (grammar === null || body.length > COLOUR_MAX_LENGTH) {
    return { html: numbered(escapeHtml(body)), coloured: grammar === null };
  }
  const key = `${grammar}:${createHash("sha1").update(body).digest("base64url")}`;
  return cache.get(key) ?? remember(key, await coloured(body, grammar));
}

/** Code inside other text: as above, without lines of its own. */
export async function highlightFragment(body: string, language: LanguageName): Promise<string> {
  const grammar = GRAMMARS[language] === undefined ? language : GRAMMARS[language];
  if (grammar === null || body.length > COLOUR_MAX_LENGTH) return escapeHtml(body);
  return markup(body, grammar);
}

async function coloured(body: string, grammar: string): Promise<HighlightedCode> {
  return { html: numbered(await markup(body, grammar)), coloured: true };
}

async function markup(body: string, grammar: string): Promise<string> {
  if (!hljs.getLanguage(grammar)) {
    const { default: definition } = await import(/* @vite-ignore */ `highlight.js/lib/languages/${grammar}`);
    hljs.registerLanguage(grammar, definition);
  }
  return hljs.highlight(body, { language: grammar, ignoreIllegals: true }).value;
}

/** The least recently made give way. */
function remember(key: string, code: HighlightedCode): HighlightedCode {
  cache.set(key, code);
  cachedLength += code.html.length;
  for (const [oldest, { html }] of cache) {
    if (cachedLength <= CACHE_MAX_LENGTH) break;
    cache.delete(oldest);
    cachedLength -= html.length;
  }
  return code;
}

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (char) => ESCAPES[char]);
}

/** Cuts highlighted HTML into lines; a colour that runs over a line's end is closed there and opened again. */
export function numbered(html: string): string {
  const open: string[] = [];
  const body = html.endsWith("\n") ? html.slice(0, -1) : html;
  return body
    .split("\n")
    .map((line, i) => {
      const before = open.join("");
      for (const [tag] of line.matchAll(/<span[^>]*>|<\/span>/g)) {
        if (tag === "</span>") open.pop();
        else open.push(tag);
      }
      const n = i + 1;
      const number = `<a class="line-number" href="#L${n}">${n}</a>`;
      return `<span class="line" id="L${n}">${number}${before}${line}${"</span>".repeat(open.length)}</span>`;
    })
    .join("\n");
}
