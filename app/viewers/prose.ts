import { highlightFragment } from "#app/viewers/highlight-code.ts";
import type { Heading, ProseWords, RenderedText } from "#app/viewers/render-task.ts";
import { detectLanguage, isLanguage, type LanguageName } from "#domain/files/language.ts";
import { headingIds, slugify } from "#domain/notes/headings.ts";
import { itemAt, required } from "#domain/required.ts";
import { detectDirection } from "#domain/text/text-direction.ts";

/** Puts a sanitised tree in order: every address, anchor, class and direction in it is given here. */
export async function orderProse(root: HTMLElement, words: ProseWords): Promise<RenderedText> {
  const fences = fencesIn(root);
  for (const element of root.querySelectorAll("[class], [id]")) {
    element.removeAttribute("class");
    element.removeAttribute("id");
  }
  const headings = anchorHeadings(root);
  linkFootnotes(root, words);
  for (const image of root.querySelectorAll("img")) showImage(image, words);
  for (const link of root.querySelectorAll("a")) checkLink(link);
  for (const box of root.querySelectorAll("input")) showTask(box, words);
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

/** The compiler puts notes into a last footer, each in a division that begins with its label. */
function linkFootnotes(root: HTMLElement, words: ProseWords): void {
  const footer = root.lastElementChild;
  if (footer?.localName !== "footer") return;
  footer.className = "footnotes";
  const references = [...root.querySelectorAll("a > sup:only-child")].flatMap(
    (sup) => sup.parentElement ?? [],
  );
  for (const note of footer.children) {
    const label = /^([^:]*): /.exec(note.textContent ?? "")?.[1];
    if (!label) continue;
    const slug = slugify(label);
    note.id = FOOTNOTE + slug;
    const calls = references.filter((link) => link.textContent === label);
    for (const [i, link] of calls.entries()) {
      link.setAttribute("href", `#${note.id}`);
      if (i === 0) link.id = `${FOOTNOTE}call-${slug}`;
    }
    if (calls.length > 0) note.append(" ", backLink(note.ownerDocument, `#${FOOTNOTE}call-${slug}`, words));
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

/** A picture inside the text is shown. Any other would be fetched, from us or from a stranger: its place says so. */
function showImage(image: HTMLImageElement, words: ProseWords): void {
  const address = image.getAttribute("src") ?? "";
  const alt = image.getAttribute("alt") ?? "";
  image.setAttribute("alt", alt);
  if (PICTURE.test(address)) return;
  const place = image.ownerDocument.createElement("span");
  place.className = "image-blocked";
  const kind = OUTSIDE.test(address) ? words.externalImage : words.blockedImage;
  place.append(kind, ...(alt ? [": ", isolated(image.ownerDocument, alt)] : []));
  image.replaceWith(place);
}

function isolated(document: Document, text: string): Element {
  const span = document.createElement("bdi");
  span.textContent = text;
  return span;
}

const ADDRESS = /^(?:https?:\/\/|mailto:|#)/i;

/** A link leads to an address of its own or to a place in the text; a relative one has nowhere to lead and is text. */
function checkLink(link: HTMLAnchorElement): void {
  const address = link.getAttribute("href") ?? "";
  if (!ADDRESS.test(address)) link.replaceWith(...link.childNodes);
  else if (!address.startsWith("#")) link.setAttribute("rel", "noopener noreferrer nofollow");
}

function showTask(box: HTMLInputElement, words: ProseWords): void {
  const item = box.parentElement;
  if (box.getAttribute("type") !== "checkbox") {
    box.remove();
    return;
  }
  box.setAttribute("disabled", "");
  box.setAttribute("aria-label", box.hasAttribute("checked") ? words.done : words.open);
  if (item?.localName === "li") item.className = "task";
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

/** Each block reads in the direction of its own first letter; what holds blocks, in that of the first it holds. */
function setDirections(root: HTMLElement): void {
  for (const block of root.querySelectorAll("p, h1, h2, h3, h4, h5, h6, td, th, dt, dd, summary, figcaption"))
    block.setAttribute("dir", "auto");
  const holders = "ul, ol, blockquote, .scroll-box, table, details, .footnotes > div";
  for (const holder of root.querySelectorAll(holders))
    holder.setAttribute("dir", detectDirection(holder.textContent ?? ""));
}
