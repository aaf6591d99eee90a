import { highlightFragment } from "#app/viewers/code/highlight-code.ts";
import type { Heading, LinkedFiles, ProseWords, RenderedText } from "#app/viewers/render-task.ts";
import type { NumberedTask } from "#app/viewers/task-boxes.ts";
import { detectLanguage, isLanguage, type LanguageName } from "#domain/files/language.ts";
import { parseRelativeAddress } from "#domain/folders/relative-address.ts";
import { headingIds } from "#domain/notes/headings.ts";
import { itemAt, required } from "#domain/required.ts";
import { detectDirection } from "#domain/text/text-direction.ts";

/**
 * Relative addresses lead to `files`; those that are none of them lead nowhere. So many `footnotes` are in a last footer. `tasks` are
 * those of its boxes, in order; a box without one cannot be ticked.
 */
type ProseParts = { files: LinkedFiles; footnotes: number; tasks?: readonly (NumberedTask | null)[] };

/** Puts a sanitised tree in order: every address, anchor, class and direction in it is given here. */
export async function orderProse(
  root: HTMLElement,
  words: ProseWords,
  { files, footnotes, tasks = [] }: ProseParts,
): Promise<RenderedText> {
  const fences = fencesIn(root);
  for (const element of root.querySelectorAll("[class], [id]")) {
    element.removeAttribute("class");
    element.removeAttribute("id");
  }
  const headings = anchorHeadings(root);
  for (const image of root.querySelectorAll("img")) showImage(image, words, files);
  for (const link of root.querySelectorAll("a")) checkLink(link, words, files);
  if (footnotes > 0) linkFootnotes(root, words);
  for (const [at, box] of [...root.querySelectorAll("input")].entries())
    showTask(box, tasks[at] ?? null, words);
  for (const table of root.querySelectorAll("table")) boxTable(table);
  for (const [code, language] of fences) await colour(code, language);
  setDirections(root);
  return { html: root.innerHTML, headings };
}

type Fences = Map<Element, LanguageName | null>;

/** Fenced code with the language it names, read before classes are taken away. */
function fencesIn(root: HTMLElement): Fences {
  const codes = [...root.querySelectorAll("pre > code")];
  return new Map(
    codes.map((code) => [code, languageNamed(/\blang(?:uage)?-(\S+)/.exec(code.className)?.[1])]),
  );
}

function languageNamed(name = ""): LanguageName | null {
  const known = name.toLowerCase();
  if (isLanguage(known)) return known;
  const language = detectLanguage(`x.${known}`, "");
  return language === "text" ? null : language;
}

async function colour(code: Element, language: LanguageName | null): Promise<void> {
  const pre = required(code.parentElement, "element around code");
  pre.className = "code";
  pre.setAttribute("dir", "ltr");
  pre.setAttribute("tabindex", "0");
  if (language) code.innerHTML = await highlightFragment(code.textContent ?? "", language);
}

function anchorHeadings(root: HTMLElement): Heading[] {
  const found = [...root.querySelectorAll("h1, h2, h3, h4, h5, h6")];
  const texts = found.map((heading) => (heading.textContent ?? "").trim());
  const ids = headingIds(texts);
  return found.map((heading, i) => {
    heading.id = itemAt(ids, i);
    return { id: heading.id, text: itemAt(texts, i), level: Number(heading.localName[1]) };
  });
}

const FOOTNOTE = "footnote-";

/** The compiler makes a reference of each number; the notes stand in the last footer. */
function linkFootnotes(root: HTMLElement, words: ProseWords): void {
  const footer = [...root.querySelectorAll("footer")].at(-1);
  if (!footer) return;
  footer.className = "footnotes";
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
    end.append(" ", backLink(note.ownerDocument, `#${first.id}`, words));
  }
}

function backLink(document: Document, href: string, words: ProseWords): Element {
  const link = document.createElement("a");
  link.setAttribute("href", href);
  link.setAttribute("aria-label", words.footnoteBack);
  link.textContent = "↩";
  return link;
}

const PICTURE = /^data:image\/(?:png|jpe?g|gif|webp);base64,/i;
const OUTSIDE = /^https?:\/\//i;

/** A picture inside the text is shown, and so is a drawing of the library. Any other would be fetched, from us or from a stranger: its place says so. */
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
  const place = image.ownerDocument.createElement("span");
  place.className = "image-blocked";
  const missing = file ? null : parseRelativeAddress(address);
  const kind = OUTSIDE.test(address) ? words.externalImage : words.blockedImage;
  const name = missing?.path ?? alt;
  place.append(
    missing ? words.missingImage : kind,
    ...(name ? [": ", isolated(image.ownerDocument, name)] : []),
  );
  image.replaceWith(place);
}

function isolated(document: Document, text: string): Element {
  const span = document.createElement("bdi");
  span.textContent = text;
  return span;
}

const ADDRESS = /^(?:https?:\/\/|mailto:|tel:|#)/i;

/** A link leads to an address of its own, to a place in the text, or to a file of the library; any other has nowhere to lead and is text. Where that names a file that is not there, its title says so. */
function checkLink(link: HTMLAnchorElement, words: ProseWords, files: LinkedFiles): void {
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

function showTask(box: HTMLInputElement, task: NumberedTask | null, words: ProseWords): void {
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

/** A button that ticks the task. */
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
 * Each block reads in the direction of its own first letter; what holds blocks, in that of the first it holds. Code has its own
 * direction, so that the letters in it do not count: a Hebrew sentence may begin with a name from a program.
 */
function setDirections(root: HTMLElement): void {
  for (const code of root.querySelectorAll(":not(pre) > code")) code.setAttribute("dir", "ltr");
  for (const block of root.querySelectorAll("p, h1, h2, h3, h4, h5, h6, td, th, dt, dd, summary, figcaption"))
    block.setAttribute("dir", "auto");
  const holders = "ul, ol, blockquote, .scroll-box, table, details";
  for (const holder of root.querySelectorAll(holders))
    holder.setAttribute("dir", detectDirection(holder.textContent ?? ""));
}
