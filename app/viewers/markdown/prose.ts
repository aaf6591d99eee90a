import { highlightFragment } from "#app/viewers/code/highlight-code.ts";
import type { Heading, LinkedFiles, ProseWords, RenderedText } from "#app/viewers/render-task.ts";
import type { NumberedTask } from "#app/viewers/task-boxes.ts";
import { parseRelativeAddress } from "#domain/files/folders/relative-address.ts";
import { detectLanguage, isLanguage, type LanguageName } from "#domain/files/language.ts";
import { headingIds } from "#domain/notes/headings.ts";
import { itemAt, required } from "#domain/required.ts";
import { detectDirection } from "#domain/text/text-direction.ts";

/**
 * Relative addresses lead to `files`, others nowhere. The last footer has `footnotes` notes. `tasks` belong to the boxes in order; a box
 * without a task cannot be ticked.
 */
type ProseParts = { files: LinkedFiles; footnotes: number; tasks?: readonly (NumberedTask | null)[] };

/** Sets every address, anchor, class and direction in a sanitised tree. */
export async function completeProse(
  root: HTMLElement,
  words: ProseWords,
  { files, footnotes, tasks = [] }: ProseParts,
): Promise<RenderedText> {
  const fences = findFences(root);
  for (const element of root.querySelectorAll("[class], [id]")) {
    element.removeAttribute("class");
    element.removeAttribute("id");
  }
  const headings = anchorHeadings(root);
  for (const image of root.querySelectorAll("img")) showImage(image, words, files);
  for (const link of root.querySelectorAll("a")) resolveLink(link, words, files);
  if (footnotes > 0) linkFootnotes(root, words);
  for (const [i, box] of [...root.querySelectorAll("input")].entries())
    completeTaskBox(box, tasks[i] ?? null, words);
  for (const table of root.querySelectorAll("table")) boxTable(table);
  for (const [code, language] of fences) await colourCodeBlock(code, language);
  setDirections(root);
  return { html: root.innerHTML, headings };
}

type Fences = Map<Element, LanguageName | null>;

function findFences(root: HTMLElement): Fences {
  const codes = [...root.querySelectorAll("pre > code")];
  return new Map(
    codes.map((code) => [code, findLanguage(/\blang(?:uage)?-(\S+)/.exec(code.className)?.[1])]),
  );
}

function findLanguage(name = ""): LanguageName | null {
  const lowerName = name.toLowerCase();
  if (isLanguage(lowerName)) return lowerName;
  const language = detectLanguage(`x.${lowerName}`, "");
  return language === "text" ? null : language;
}

async function colourCodeBlock(code: Element, language: LanguageName | null): Promise<void> {
  const pre = required(code.parentElement, "element around code");
  pre.className = "code";
  pre.setAttribute("dir", "ltr");
  pre.setAttribute("tabindex", "0");
  if (language) code.innerHTML = await highlightFragment(code.textContent ?? "", language);
}

function anchorHeadings(root: HTMLElement): Heading[] {
  const headings = [...root.querySelectorAll("h1, h2, h3, h4, h5, h6")];
  const texts = headings.map((heading) => (heading.textContent ?? "").trim());
  const ids = headingIds(texts);
  return headings.map((heading, i) => {
    heading.id = itemAt(ids, i);
    return { id: heading.id, text: itemAt(texts, i), level: Number(heading.localName[1]) };
  });
}

const FOOTNOTE = "footnote-";

/** Links footnotes and their references. The compiler makes a reference of each number, and the notes are in the last footer. */
function linkFootnotes(root: HTMLElement, words: ProseWords): void {
  const footer = [...root.querySelectorAll("footer")].at(-1);
  if (!footer) return;
  footer.className = "footnotes soft small";
  const references = [...root.querySelectorAll("a > sup:only-child")].flatMap(
    (sup) => sup.parentElement ?? [],
  );
  const calls = Map.groupBy(references, (link) => link.textContent);
  for (const [i, note] of [...(footer.firstElementChild?.children ?? [])].entries()) {
    const number = String(i + 1);
    note.id = FOOTNOTE + number;
    const links = calls.get(number) ?? [];
    for (const link of links) link.setAttribute("href", `#${note.id}`);
    const [first] = links;
    if (!first) continue;
    first.id = `${FOOTNOTE}call-${number}`;
    const end = note.lastElementChild?.localName === "p" ? note.lastElementChild : note;
    end.append(" ", createBackLink(note.ownerDocument, `#${first.id}`, words));
  }
}

function createBackLink(document: Document, href: string, words: ProseWords): Element {
  const link = document.createElement("a");
  link.setAttribute("href", href);
  link.setAttribute("aria-label", words.footnoteBack);
  link.textContent = "↩";
  return link;
}

const PICTURE = /^data:image\/(?:png|jpe?g|gif|webp);base64,/i;
const OUTSIDE = /^https?:\/\//i;

/** Shows embedded pictures and drawings of the library. Any other picture would have to be fetched, so a placeholder names it. */
function showImage(image: HTMLImageElement, words: ProseWords, files: LinkedFiles): void {
  const address = image.getAttribute("src") ?? "";
  const alt = image.getAttribute("alt") ?? "";
  image.setAttribute("alt", alt);
  if (PICTURE.test(address)) return;
  const file = findLinked(address, files);
  if (file?.image) {
    image.setAttribute("src", file.image);
    return;
  }
  const placeholder = image.ownerDocument.createElement("span");
  placeholder.className = "image-blocked sunk round soft small";
  const missing = file ? null : parseRelativeAddress(address);
  const kind = OUTSIDE.test(address) ? words.externalImage : words.blockedImage;
  const name = missing?.path ?? alt;
  placeholder.append(
    missing ? words.missingImage : kind,
    ...(name ? [": ", createIsolated(image.ownerDocument, name)] : []),
  );
  image.replaceWith(placeholder);
}

function createIsolated(document: Document, text: string): Element {
  const span = document.createElement("bdi");
  span.textContent = text;
  return span;
}

const ADDRESS = /^(?:https?:\/\/|mailto:|tel:|#)/i;

/** Keeps links to absolute addresses, anchors and files of the library; others become text. A missing file is named in a title. */
function resolveLink(link: HTMLAnchorElement, words: ProseWords, files: LinkedFiles): void {
  const address = link.getAttribute("href") ?? "";
  const file = findLinked(address, files);
  const missing = file ? null : parseRelativeAddress(address);
  if (file) link.setAttribute("href", file.href);
  else if (missing) {
    const text = link.ownerDocument.createElement("span");
    text.title = words.missingFile;
    text.append(...link.childNodes);
    link.replaceWith(text);
  } else if (!ADDRESS.test(address)) link.replaceWith(...link.childNodes);
  else if (!address.startsWith("#")) link.setAttribute("rel", "noopener noreferrer nofollow");
}

function findLinked(address: string, files: LinkedFiles): LinkedFiles[string] | null {
  const relative = parseRelativeAddress(address);
  const file = relative && Object.hasOwn(files, relative.path) ? files[relative.path] : null;
  return file && relative ? { ...file, href: file.href + relative.fragment } : null;
}

function completeTaskBox(box: HTMLInputElement, task: NumberedTask | null, words: ProseWords): void {
  const item = box.closest("li");
  if (box.getAttribute("type") !== "checkbox") {
    box.remove();
    return;
  }
  box.setAttribute("disabled", "");
  box.setAttribute("aria-label", box.hasAttribute("checked") ? words.done : words.open);
  if (item) item.className = "task";
  if (task) box.replaceWith(makeTick(box, task));
}

function makeTick(box: HTMLInputElement, { index, checked, text }: NumberedTask): Element {
  const button = box.ownerDocument.createElement("button");
  const attributes = {
    class: "task-tick",
    type: "submit",
    form: "tasks",
    name: "task",
    value: `${index}:${checked ? "off" : "on"}`,
    role: "checkbox",
    "aria-checked": String(checked),
    "aria-label": text,
  };
  for (const [name, value] of Object.entries(attributes)) button.setAttribute(name, value);
  return button;
}

function boxTable(table: HTMLTableElement): void {
  if (table.parentElement?.closest("table")) return;
  const box = table.ownerDocument.createElement("div");
  box.className = "scroll-box";
  box.setAttribute("tabindex", "0");
  table.className = "table";
  table.replaceWith(box);
  box.append(table);
}

/**
 * Makes each block take the direction of its first letter, and each container that of its content. Code is always left to right, so that
 * its letters do not count: a Hebrew sentence may begin with a program's name.
 */
function setDirections(root: HTMLElement): void {
  for (const code of root.querySelectorAll(":not(pre) > code")) code.setAttribute("dir", "ltr");
  for (const block of root.querySelectorAll("p, h1, h2, h3, h4, h5, h6, td, th, dt, dd, summary, figcaption"))
    block.setAttribute("dir", "auto");
  const holders = "ul, ol, blockquote, .scroll-box, table, details";
  for (const holder of root.querySelectorAll(holders))
    holder.setAttribute("dir", detectDirection(holder.textContent ?? ""));
}
