import createDOMPurify, { type Config, type DOMPurify, type WindowLike } from "dompurify";
import { JSDOM } from "jsdom";
import { removeReferences } from "#app/viewers/css-references.ts";

/** Makes foreign markup inert: nothing runs, is sent or is fetched. A window retains memory with every call, so it is replaced regularly. */
type Purifier = { purify: DOMPurify; window: JSDOM["window"]; calls: number };

// Prose keeps the addresses of images and links for later processing; this window fetches nothing.
let isProse = false;

const PROSE_ADDRESSES: Record<string, string> = { img: "src", a: "href" };

const CALLS_PER_WINDOW = 50;
let current: Purifier | undefined;

function getPurifier(): Purifier {
  if (!current || current.calls >= CALLS_PER_WINDOW) {
    current?.window.close();
    current = openPurifier();
  }
  current.calls += 1;
  return current;
}

function openPurifier(): Purifier {
  const { window } = new JSDOM("");
  // The types of jsdom and DOMPurify describe the same window differently.
  const purify = createDOMPurify(window as unknown as WindowLike);
  // DOMPurify returns its input unchanged on a document model that it does not know.
  if (!purify.isSupported) throw new Error("DOMPurify does not support this document model");
  purify.addHook("uponSanitizeElement", (node, { tagName }) => {
    if (tagName === "style" && node.textContent) node.textContent = removeReferences(node.textContent);
  });
  purify.addHook("uponSanitizeAttribute", (element, attribute) => {
    if (isProse && PROSE_ADDRESSES[element.localName] === attribute.attrName) return;
    const value = toInertValue(element.localName, attribute.attrName, attribute.attrValue);
    if (value === null) attribute.keepAttr = false;
    else attribute.attrValue = value;
  });
  return { purify, window, calls: 0 };
}

// Attributes whose value a browser fetches or opens without a click.
const FETCHED = new Set(
  "src srcset poster background data href xlink:href action formaction lowsrc dynsrc longdesc usemap manifest profile classid codebase archive cite imagesrcset".split(
    " ",
  ),
);
const INSIDE = /^\s*(?:#|data:image\/(?:png|jpe?g|gif|webp)[;,])/i;
const LINKS = new Set(["a", "area"]);
const LINK = /^\s*(?:https?:\/\/|mailto:|tel:|#)/i;
const IS_LINK = new Set(["href", "xlink:href"]);

function toInertValue(tag: string, name: string, value: string): string | null {
  if (LINKS.has(tag) && IS_LINK.has(name)) return LINK.test(withoutControls(value)) ? value : null;
  if (FETCHED.has(name)) return INSIDE.test(value) ? value : null;
  if (name === "style" || /[(\\]/.test(value)) {
    const clean = removeReferences(value);
    return clean.trim() === "" ? null : clean;
  }
  return value;
}

// Browsers ignore these characters inside addresses.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const withoutControls = (text: string) => text.replace(/[\u0000-\u0020\u007f]+/g, "");

const FORBID_TAGS = ["form", "template", "noscript", "dialog"];
const FORBID_ATTR = [
  "ping",
  "target",
  "autofocus",
  "form",
  "popover",
  "popovertarget",
  "contenteditable",
  "is",
];

const DOCUMENT = { WHOLE_DOCUMENT: true, FORBID_TAGS, FORBID_ATTR } satisfies Config;

export function sanitiseHtml(body: string): string {
  const clean = getPurifier().purify.sanitize(body, DOCUMENT);
  return `<!DOCTYPE html>${clean}`;
}

const DRAWING = {
  USE_PROFILES: { svg: true, svgFilters: true },
  ADD_TAGS: ["use"],
  FORBID_TAGS: [...FORBID_TAGS, "foreignObject"],
  FORBID_ATTR,
  RETURN_DOM: true,
} satisfies Config;

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML has no way to write these
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

export function sanitiseSvg(body: string): string | null {
  const { purify, window } = getPurifier();
  // The result is a body, although its type is any node.
  const clean = purify.sanitize(body.replace(NOT_IN_XML, ""), DRAWING) as HTMLElement;
  const drawing = clean.querySelector("svg");
  if (!drawing) return null;
  removeNestedUses(drawing);
  return new window.XMLSerializer().serializeToString(drawing);
}

/** Removes nested `use` elements: each level doubles the shapes, and a few lines become a billion of them. */
function removeNestedUses(drawing: Element): void {
  const byId = new Map([...drawing.querySelectorAll("[id]")].map((element) => [element.id, element]));
  const users = [...drawing.querySelectorAll("use")];
  const nested = users.filter((use) => {
    const reference = use.getAttribute("href") ?? use.getAttribute("xlink:href") ?? "";
    const target = byId.get(reference.trim().slice(1));
    return !target || target.localName === "use" || target.querySelector("use") !== null;
  });
  for (const use of nested) use.remove();
}

const PROSE = {
  ALLOWED_TAGS:
    "h1 h2 h3 h4 h5 h6 p br hr ul ol li blockquote header pre code em strong del s ins mark sub sup kbd samp var abbr dl dt dd details summary table caption thead tbody tfoot tr th td a img input div span section footer figure figcaption b i u small q cite center wbr".split(
      " ",
    ),
  ALLOWED_ATTR:
    "href title alt src id class colspan rowspan align start type checked disabled open lang".split(" "),
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM: true,
} satisfies Config;

/** Sanitises prose for a page of ours to a tree of text elements; completeProse completes it. */
export function sanitiseProse(html: string): HTMLElement {
  isProse = true;
  try {
    // The result is a body, as above.
    return getPurifier().purify.sanitize(html, PROSE) as HTMLElement;
  } finally {
    isProse = false;
  }
}
