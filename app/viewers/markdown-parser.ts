import Parser, { type MarkdownIt, type StateCore, type StateInline, type Token } from "markdown-it";
import deflist from "markdown-it-deflist";
import footnote from "markdown-it-footnote";
import { escapeUnknownTags, hasKnownTag } from "#app/viewers/known-tags.ts";
import { isTaskLine, TASK_MARK } from "#domain/text/markdown-tasks.ts";

/** Levels of nesting, of which a list takes two for each of its own. Deeper texts are refused before they get here. */
const MAX_NESTING = 250;

/**
 * Markdown as people write it: CommonMark with tables, tasks, footnotes, strikethrough and definition lists. Addresses are left as they
 * are, because whatever comes out is sanitised.
 */
export function createMarkdownParser(): MarkdownIt {
  const parser = new Parser({ html: true, linkify: true, maxNesting: MAX_NESTING });
  // Words with a dot in them are names of files here more often than hosts.
  parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false }).add("//", null).add("ftp:", null);
  parser.validateLink = () => true;
  parser.use(footnote).use(deflist);
  parser.inline.ruler.before("strikethrough", "single_strikethrough", strikeBetweenTildes);
  // `!` before a footnote is a mark of the sentence and not of an image.
  parser.inline.ruler.before("image", "exclaimed_footnote", exclaimFootnote);
  parser.core.ruler.push("tasks", markTasks);
  parser.disable("footnote_inline");
  parser.renderer.rules.html_inline = (tokens, i) => escapeUnknownTags(contentAt(tokens, i));
  parser.renderer.rules.html_block = (tokens, i) => showBlock(contentAt(tokens, i));
  return parser;
}

const contentAt = (tokens: Token[], i: number) => tokens[i]?.content ?? "";

const showBlock = (html: string) =>
  hasKnownTag(html) ? escapeUnknownTags(html) : `<p>${escapeUnknownTags(html.trimEnd())}</p>\n`;

const WORD = /[\p{L}\p{N}~\\]/u;
const BETWEEN_TILDES = /~(?![\s~])([^~\n]*[^~\s\\])~(?![\p{L}\p{N}~])/uy;

/** `~gone~` as `~~gone~~`, but not within a word, as in `H~2~O`. */
function strikeBetweenTildes(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  if (src[pos] !== "~" || WORD.test(src[pos - 1] ?? " ")) return false;
  BETWEEN_TILDES.lastIndex = pos;
  const inside = BETWEEN_TILDES.exec(src)?.[1];
  const end = pos + 1 + (inside?.length ?? 0);
  if (inside === undefined || end >= posMax) return false;
  if (!silent) {
    state.push("s_open", "s", 1);
    [state.pos, state.posMax] = [pos + 1, end];
    state.md.inline.tokenize(state);
    state.push("s_close", "s", -1);
    state.posMax = posMax;
  }
  state.pos = end + 1;
  return true;
}

function exclaimFootnote(state: StateInline, silent: boolean): boolean {
  if (!state.src.startsWith("![^", state.pos)) return false;
  if (!silent) state.pending += "!";
  state.pos += 1;
  return true;
}

/** A list item that begins with `[ ]` or `[x]` gets a box that names its line in the text. */
function markTasks({ tokens, src, Token }: StateCore): void {
  const lines = src.split("\n");
  for (const [i, item] of tokens.entries()) {
    const words = tokens[i + 2];
    const line = item.map?.[0] ?? -1;
    if (item.type !== "list_item_open" || words?.type !== "inline" || !words.children) continue;
    const [first] = words.children;
    const mark = first?.type === "text" ? TASK_MARK.exec(first.content) : null;
    if (!first || !mark || !isTaskLine(lines[line] ?? "")) continue;
    first.content = first.content.slice(mark[0].length);
    const box = new Token("html_inline", "", 0);
    const checked = mark[1] === " " ? "" : " checked";
    box.content = `<input type="checkbox" id="task-${line + 1}"${checked}> `;
    words.children.unshift(box);
  }
}
