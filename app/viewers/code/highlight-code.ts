import hljs from "highlight.js/lib/core";
import { numberLines } from "#app/viewers/code/code-lines.ts";
import { type CodePlace, cutNumberedPart, type ShownCode, toPlainCode } from "#app/viewers/code/code-part.ts";
import { COLOUR_MAX_LENGTH, findGrammar } from "#app/viewers/code/grammars.ts";
import { packCode } from "#app/viewers/code/large-code.ts";
import type { LanguageName } from "#domain/files/language.ts";
import { escapeHtml } from "#domain/text/escape-html.ts";

/**
 * Colours the part of a text with a line, only on a thread of the pool: most grammars of the highlighter have a short text that takes them
 * minutes. All input is escaped; the only markup is ours.
 */
type CodeToHighlight = { body: string; language: LanguageName } & CodePlace;
/** There are no colours if the text is too long, or if reopening them on each line would make the page too large. */
export type ColouredCode = ShownCode & { colours: "all" | "too_long" | "too_nested" };

export async function highlightCode({ body, language, ...place }: CodeToHighlight): Promise<ColouredCode> {
  if (body.length > COLOUR_MAX_LENGTH) return { ...toPlainCode(body, language, place), colours: "too_long" };
  const { text, shown, numbering } = cutNumberedPart(body, place);
  const lines = numberLines(await highlightFragment(text, language), { ...numbering, language });
  if (lines === null) return { ...toPlainCode(body, language, place), colours: "too_nested" };
  return { ...packCode(lines), shown, colours: "all" };
}

/** The highlighter has more names for code than there are colours: each of these has the colour of the first in its line. */
const COLOUR_CLASSES = new Map(
  [
    "comment quote",
    "keyword doctag selector-tag template-tag name",
    "string regexp char_escape addition code",
    "number literal symbol bullet variable_constant",
    "title link selector-id selector-class",
    "type built_in title_class template-variable variable_language",
    "attr attribute property variable meta selector-attr selector-pseudo",
  ].flatMap((line) => {
    const [first, ...others] = line.split(" ");
    return others.map((name) => [name, first]);
  }),
);

/** The highlighter opens a coloured span so, for example `hljs-title class_ inherited__`. */
const PART = /<span class="hljs-([\w-]+)(?: (\w+?)_)?[^"]*">/g;

function toColourTag(_: string, name: string, detail?: string): string {
  return `<span class="hljs-${COLOUR_CLASSES.get(`${name}_${detail}`) ?? COLOUR_CLASSES.get(name) ?? name}">`;
}

/** Colours code inside other text, without line elements. */
export async function highlightFragment(body: string, language: LanguageName): Promise<string> {
  const grammar = findGrammar(language);
  if (grammar === null || body.length > COLOUR_MAX_LENGTH) return escapeHtml(body);
  return highlightWithGrammar(body, grammar);
}

async function highlightWithGrammar(body: string, grammar: string): Promise<string> {
  if (!hljs.getLanguage(grammar)) {
    const { default: definition } = await import(`highlight.js/lib/languages/${grammar}`);
    hljs.registerLanguage(grammar, definition);
  }
  return hljs.highlight(body, { language: grammar, ignoreIllegals: true }).value.replace(PART, toColourTag);
}
