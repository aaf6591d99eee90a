/** Judges markup by allowlists, written independently of the sanitiser's. */
import { JSDOM } from "jsdom";

export type Markup = "html" | "svg" | "markdown";

const words = (text: string) => text.split(/\s+/);

const PROSE =
  words(`html head body h1 h2 h3 h4 h5 h6 p br hr ul ol li dl dt dd blockquote pre code em strong b i u s del ins mark sub sup kbd
  bdi samp var abbr cite q small details summary table caption thead tbody tfoot tr th td a img input div span section header footer figure
  figcaption center wbr`);
const DRAWING =
  words(`svg g defs symbol use title desc metadata switch a text tspan textPath rect circle ellipse line path polygon polyline
  image marker mask clipPath pattern linearGradient radialGradient stop filter feImage feBlend feFlood style view mpath animateMotion`);
// Fields send nothing without a form, and media play nothing without an address.
const PAGE = [
  ...words("style select option textarea button video audio source track picture map area marquee slot font"),
  ...words("math mtext mi mn mo mrow mglyph"),
];
const ELEMENTS: Record<Markup, ReadonlySet<string>> = {
  html: new Set([...PROSE, ...DRAWING, ...PAGE]),
  svg: new Set(DRAWING),
  markdown: new Set(PROSE),
};

const PLAIN_ATTRIBUTES = new Set(
  words(`id class title alt lang dir aria-label name type value tabindex hidden open checked disabled selected rel start align colspan rowspan
  shape coords width height x y r d viewBox version loading crossorigin referrerpolicy autoplay controls loop preload default kind
  xmlns xmlns:xlink xmlns:svg xmlns:x attributeName values dur begin fill filter mask style cursor`),
);
const ADDRESSES: Record<Markup, Record<string, RegExp>> = {
  html: {
    "a href": /^(https?:\/\/|mailto:|tel:|#)/i,
    "area href": /^(https?:\/\/|mailto:|tel:|#)/i,
    "img src": /^data:image\/(png|jpe?g|gif|webp)[;,]/i,
    "use href": /^#/,
  },
  svg: { "a href": /^(https?:\/\/|mailto:|tel:|#)/i, "use href": /^#/ },
  markdown: {
    "a href": /^(https?:\/\/|mailto:|tel:|#|\/(md|file)\/)/i,
    "img src": /^(data:image\/(png|jpe?g|gif|webp)[;,]|\/raw_svg\/)/i,
  },
};
const NAMESPACE = /^http:\/\/www\.w3\.org\/(1999\/xhtml|1999\/xlink|2000\/svg)$/;

const LOADING =
  /@import|@namespace|@font-face|(?<![\w-])(url|src|image|image-set|-webkit-image-set)\s*\(([^)]*)/gi;
const WITHIN = /^\s*["']?(#|data:image\/(png|jpe?g|gif|webp)[;,])/i;

/** The addresses that a style sheet, or an attribute read as one, would fetch. */
function listLoads(css: string): string[] {
  const plain = css
    .replace(/\/\*[\s\S]*?(\*\/|$)/g, " ")
    .replace(/\\([\da-f]{1,6})\s?/gi, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)));
  return [...plain.matchAll(LOADING)]
    .filter(([, , address]) => address === undefined || !WITHIN.test(address))
    .map(([load]) => `loads ${load}`);
}

function faultsOfAttribute(tag: string, { name, value }: Attr, markup: Markup): string[] {
  const allowed = ADDRESSES[markup][`${tag} ${name.replace("xlink:", "")}`];
  if (allowed) return allowed.test(value.trim()) ? [] : [`${name}=${value}`];
  if (name === "is" && value === "") return [];
  if (!PLAIN_ATTRIBUTES.has(name)) return [`${name}=${value}`];
  if (name.startsWith("xmlns")) return NAMESPACE.test(value) ? [] : [`${name}=${value}`];
  return listLoads(value);
}

function faultsOfElement(element: Element, markup: Markup): string[] {
  const tag = element.localName;
  return [
    ...(ELEMENTS[markup].has(tag) ? [] : [`<${element.nodeName}>`]),
    ...[...element.attributes].flatMap((attribute) => faultsOfAttribute(tag, attribute, markup)),
    ...(tag === "style" ? listLoads(element.textContent ?? "") : []),
  ];
}

const { window } = new JSDOM("");
const parser = new window.DOMParser();

/** Lists what could run, send or fetch something in this markup as a browser reads it. */
export function findFaults(text: string, markup: Markup): string[] {
  const document = parser.parseFromString(text, markup === "svg" ? "image/svg+xml" : "text/html");
  // Document types name files of entities, and instructions name style sheets.
  const outside = [...document.childNodes].filter((node) => node !== document.documentElement);
  return [
    // Chromium ends these sections at another position than other parsers do.
    ...(text.includes("<![CDATA[") ? ["a section of characters"] : []),
    ...(markup === "svg" ? outside.map(({ nodeName }) => `${nodeName} before the drawing`) : []),
    ...[...document.querySelectorAll("*")].flatMap((element) => faultsOfElement(element, markup)),
  ];
}
