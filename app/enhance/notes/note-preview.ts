// Without it a note is seen as it will be once it is saved; with it while it is typed.
import type { Inline } from "#domain/notes/note-inline.ts";
import { type Block, type Item, noteBlocks } from "#domain/notes/note-markdown.ts";

/** The same elements the server makes of the same tree, built one by one: no text ever becomes markup. */
export function showNote(place: Element, content: string, form?: string): void {
  place.replaceChildren(...noteBlocks(content).map((block) => blockElement(block, form)));
}

export function enhanceNotePreview(): void {
  const text = document.querySelector<HTMLTextAreaElement>("[data-note-text]");
  const preview = document.querySelector<HTMLElement>("[data-note-preview]");
  const body = preview?.querySelector("[data-note-body]");
  if (!text || !preview || !body) return;
  const show = () => {
    preview.hidden = text.value.trim() === "";
    showNote(body, text.value);
  };
  text.addEventListener("input", show);
  const form = text.closest("form");
  form?.addEventListener("change", () => {
    const color = new FormData(form).get("color");
    if (color !== "own") preview.dataset.color = String(color);
  });
}

function element(
  name: string,
  attributes: Record<string, string>,
  ...children: (Node | string)[]
): HTMLElement {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const AUTO = { dir: "auto" };
const HEADINGS = ["h4", "h5", "h6"];

function blockElement(block: Block, form?: string): HTMLElement {
  switch (block.kind) {
    case "heading":
      return element(HEADINGS[block.level - 1] ?? "h6", AUTO, ...partNodes(block.parts));
    case "paragraph":
      return element("p", AUTO, ...lineNodes(block.lines));
    case "code":
      return element("pre", { dir: "ltr", tabindex: "0" }, element("code", {}, block.text));
    case "quote":
      return element("blockquote", {}, ...block.blocks.map((inner) => blockElement(inner)));
    case "list": {
      const items = block.items.map((item) => itemElement(item, form));
      return block.ordered
        ? element("ol", { start: String(block.start) }, ...items)
        : element("ul", {}, ...items);
    }
    case "rule":
      return element("hr", {});
  }
}

function itemElement(item: Item, form?: string): HTMLElement {
  const lists = item.lists.map((list) => blockElement(list, form));
  const text = element("span", {}, ...lineNodes(item.lines));
  if (!item.task) return element("li", AUTO, text, ...lists);
  const { index, checked } = item.task;
  const tick = element("button", {
    class: "note-tick",
    type: "submit",
    name: "intent",
    value: `tick:${index}:${checked ? "off" : "on"}`,
    role: "checkbox",
    "aria-checked": String(checked),
    "aria-label": text.textContent || String(index + 1),
    ...(form ? { form } : { disabled: "" }),
  });
  return element(
    "li",
    { ...AUTO, class: "note-task" },
    element("span", { class: "note-task-row" }, tick, text),
    ...lists,
  );
}

function lineNodes(lines: readonly Inline[][]): (Node | string)[] {
  return lines.flatMap((parts, i) => [...(i > 0 ? [element("br", {})] : []), ...partNodes(parts)]);
}

function partNodes(parts: readonly Inline[]): (Node | string)[] {
  return parts.map((part) => {
    if (part.kind === "text") return part.text;
    if (part.kind === "code") return element("code", { dir: "ltr" }, part.text);
    if (part.kind === "link")
      return element("a", { href: part.href, rel: "noopener noreferrer nofollow" }, ...partNodes(part.parts));
    return element(part.kind, {}, ...partNodes(part.parts));
  });
}
