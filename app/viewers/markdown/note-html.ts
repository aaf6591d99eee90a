import { getDictionary } from "#app/i18n/dictionaries.ts";
import type { Locale } from "#domain/locale.ts";
import { type Inline, plainText } from "#domain/notes/note-inline.ts";
import { type Block, type Item, noteBlocks } from "#domain/notes/note-markdown.ts";
import { escapeHtml } from "#domain/text/escape-html.ts";

/**
 * Renders notes as HTML. The parsed tree holds no markup and every text is escaped, so nothing a person writes becomes markup. The HTML is
 * built as text, because elements of the page's renderer take fifty times as long.
 */
export type NoteToShow = {
  content: string;
  /** The form that ticks this note's boxes; without it they only show their state. */
  form: string | null;
};
type NotesToShow = { notes: NoteToShow[]; locale: Locale };

/** `taskName` names a task that has no words. */
type Ticks = { form: string | null; taskName: (n: number) => string };

export function renderNotes({ notes, locale }: NotesToShow): string[] {
  const taskName = getDictionary(locale).notes.task;
  return notes.map(({ content, form }) => renderBlocks(noteBlocks(content), { form, taskName }));
}

/** Renders notes as bytes, which a thread hands over without a copy. */
export function packNotes(input: NotesToShow): { pieces: Uint8Array<ArrayBuffer>[] } {
  return { pieces: renderNotes(input).map((html) => new TextEncoder().encode(html)) };
}

export function renderPlainNote(content: string): string {
  const lines = content.split(/\r\n|\r|\n/).map(escapeHtml);
  return `<p dir="auto">${lines.join("<br>")}</p>`;
}

const renderBlocks = (blocks: readonly Block[], ticks: Ticks): string =>
  blocks.map((block) => renderBlock(block, ticks)).join("");

// The page's own headings are above, and those of a note are below its title.
const HEADINGS = ["h4", "h5", "h6"];

function renderBlock(block: Block, ticks: Ticks): string {
  switch (block.kind) {
    case "heading": {
      const tag = HEADINGS[Math.min(block.level, HEADINGS.length) - 1];
      return `<${tag} dir="auto">${renderParts(block.parts)}</${tag}>`;
    }
    case "paragraph":
      return `<p dir="auto">${renderLines(block.lines)}</p>`;
    case "code":
      return `<pre dir="ltr" tabindex="0"><code>${escapeHtml(block.text)}</code></pre>`;
    case "quote":
      return `<blockquote>${renderBlocks(block.blocks, { ...ticks, form: null })}</blockquote>`;
    case "list": {
      const items = block.items.map((item) => renderItem(item, ticks)).join("");
      return block.ordered ? `<ol start="${block.start}">${items}</ol>` : `<ul>${items}</ul>`;
    }
    case "rule":
      return "<hr>";
  }
}

function renderItem(item: Item, ticks: Ticks): string {
  const lines = renderLines(item.lines);
  const inside = renderBlocks(item.lists, ticks);
  if (!item.task) return `<li dir="auto">${lines}${inside}</li>`;
  const row = `${renderTick(item, item.task, ticks)}<span>${lines}</span>`;
  return `<li dir="auto" class="note-task"><span class="flex top gap-1">${row}</span>${inside}</li>`;
}

/** Renders a checkbox as a button. It is disabled unless a form takes its change. */
function renderTick(
  item: Item,
  { index, checked }: NonNullable<Item["task"]>,
  { form, taskName }: Ticks,
): string {
  const label = escapeHtml(item.lines.map(plainText).join(" ") || taskName(index + 1));
  const owner = form === null ? "disabled" : `form="${escapeHtml(form)}"`;
  const value = `tick:${index}:${checked ? "off" : "on"}`;
  return `<button class="note-tick bare middle rigid round" type="submit" ${owner} name="intent" value="${value}" role="checkbox" aria-checked="${checked}" aria-label="${label}"></button>`;
}

const renderLines = (lines: readonly Inline[][]): string =>
  lines.map((parts, i) => `<span>${i > 0 ? "<br>" : ""}${renderParts(parts)}</span>`).join("");

const renderParts = (parts: readonly Inline[]): string => parts.map(renderPart).join("");

function renderPart(part: Inline): string {
  switch (part.kind) {
    case "text":
      return escapeHtml(part.text);
    case "code":
      return `<code dir="ltr">${escapeHtml(part.text)}</code>`;
    case "link":
      return `<a href="${escapeHtml(part.href)}" rel="noopener noreferrer nofollow">${renderParts(part.parts)}</a>`;
    default:
      return `<${part.kind}>${renderParts(part.parts)}</${part.kind}>`;
  }
}
