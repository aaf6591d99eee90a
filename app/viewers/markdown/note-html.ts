import { getDictionary } from "#app/i18n/dictionaries.ts";
import type { Locale } from "#domain/locale.ts";
import { type Inline, plainText } from "#domain/notes/note-inline.ts";
import { type Block, type Item, noteBlocks } from "#domain/notes/note-markdown.ts";
import { escapeHtml } from "#domain/text/escape-html.ts";

/**
 * What notes say, as HTML. The tree it is made from holds no markup and every text of it is escaped, so nothing a person writes becomes
 * any. It is put together as text: elements of the page's renderer would take fifty times as long.
 */
export type NoteToShow = {
  content: string;
  /** The form that ticks this note's boxes; without one they only show their state. */
  form: string | null;
};
type NotesToShow = { notes: NoteToShow[]; locale: Locale };

/** `taskName` names a task without words. */
type Ticks = { form: string | null; taskName: (n: number) => string };

export function renderNotes({ notes, locale }: NotesToShow): string[] {
  const taskName = getDictionary(locale).notes.task;
  return notes.map(({ content, form }) => blocksHtml(noteBlocks(content), { form, taskName }));
}

/** The same as bytes, which a thread hands over without a copy. */
export function packNotes(input: NotesToShow): { pieces: Uint8Array<ArrayBuffer>[] } {
  return { pieces: renderNotes(input).map((html) => new TextEncoder().encode(html)) };
}

/** A note whose marks are not read: its words, line by line. */
export function renderPlainNote(content: string): string {
  const lines = content.split(/\r\n|\r|\n/).map(escapeHtml);
  return `<p dir="auto">${lines.join("<br>")}</p>`;
}

const blocksHtml = (blocks: readonly Block[], ticks: Ticks): string =>
  blocks.map((block) => blockHtml(block, ticks)).join("");

// The page has headings of its own above; those of a note stand below its title.
const HEADINGS = ["h4", "h5", "h6"];

function blockHtml(block: Block, ticks: Ticks): string {
  switch (block.kind) {
    case "heading": {
      const tag = HEADINGS[Math.min(block.level, HEADINGS.length) - 1];
      return `<${tag} dir="auto">${partsHtml(block.parts)}</${tag}>`;
    }
    case "paragraph":
      return `<p dir="auto">${linesHtml(block.lines)}</p>`;
    case "code":
      return `<pre dir="ltr" tabindex="0"><code>${escapeHtml(block.text)}</code></pre>`;
    case "quote":
      return `<blockquote>${blocksHtml(block.blocks, { ...ticks, form: null })}</blockquote>`;
    case "list": {
      const items = block.items.map((item) => itemHtml(item, ticks)).join("");
      return block.ordered ? `<ol start="${block.start}">${items}</ol>` : `<ul>${items}</ul>`;
    }
    case "rule":
      return "<hr>";
  }
}

function itemHtml(item: Item, ticks: Ticks): string {
  const lines = linesHtml(item.lines);
  const inside = blocksHtml(item.lists, ticks);
  if (!item.task) return `<li dir="auto">${lines}${inside}</li>`;
  const row = `${tickHtml(item, item.task, ticks)}<span>${lines}</span>`;
  return `<li dir="auto" class="note-task"><span class="note-task-row">${row}</span>${inside}</li>`;
}

/** A box that is ticked by sending a form is a button. */
function tickHtml(
  item: Item,
  { index, checked }: NonNullable<Item["task"]>,
  { form, taskName }: Ticks,
): string {
  const label = escapeHtml(item.lines.map(plainText).join(" ") || taskName(index + 1));
  const owner = form === null ? "disabled" : `form="${escapeHtml(form)}"`;
  const value = `tick:${index}:${checked ? "off" : "on"}`;
  return `<button class="note-tick" type="submit" ${owner} name="intent" value="${value}" role="checkbox" aria-checked="${checked}" aria-label="${label}"></button>`;
}

const linesHtml = (lines: readonly Inline[][]): string =>
  lines.map((parts, i) => `<span>${i > 0 ? "<br>" : ""}${partsHtml(parts)}</span>`).join("");

const partsHtml = (parts: readonly Inline[]): string => parts.map(partHtml).join("");

function partHtml(part: Inline): string {
  switch (part.kind) {
    case "text":
      return escapeHtml(part.text);
    case "code":
      return `<code dir="ltr">${escapeHtml(part.text)}</code>`;
    case "link":
      return `<a href="${escapeHtml(part.href)}" rel="noopener noreferrer nofollow">${partsHtml(part.parts)}</a>`;
    default:
      return `<${part.kind}>${partsHtml(part.parts)}</${part.kind}>`;
  }
}
