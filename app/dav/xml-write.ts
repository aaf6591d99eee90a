import type { XmlElement } from "#app/dav/xml-read.ts";

const ESCAPES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\r": "&#13;",
};

/** Escapes text for XML. Names and values have no control characters; two other characters that XML forbids are replaced. */
export function escapeXml(text: string): string {
  return text
    .replace(/[&<>"\r]/g, (character) => ESCAPES[character] ?? character)
    .replace(/[\uFFFE\uFFFF]/g, "\uFFFD");
}

export const davElement = (name: string, inner = ""): string =>
  inner === "" ? `<D:${name}/>` : `<D:${name}>${inner}</D:${name}>`;

export function emptyElement({ namespace, name }: { namespace: string; name: string }): string {
  if (namespace === "DAV:") return davElement(name);
  return namespace === "" ? `<${name} xmlns=""/>` : `<X:${name} xmlns:X="${escapeXml(namespace)}"/>`;
}

const XML_PREFIX = "xml";

/** Writes an element that can stand anywhere, because it declares its namespaces. */
export function writeElement(element: XmlElement, parentNamespace: string | null = null): string {
  const { namespace, name, attributes, children } = element;
  const declared = namespace === parentNamespace ? "" : ` xmlns="${escapeXml(namespace)}"`;
  const prefixes = new Map(
    attributes
      .filter(({ prefix }) => prefix !== "" && prefix !== XML_PREFIX)
      .map((attribute) => [attribute.prefix, attribute.namespace]),
  );
  const spaces = [...prefixes].map(([prefix, uri]) => ` xmlns:${prefix}="${escapeXml(uri)}"`);
  const values = attributes.map(({ prefix, name: local, value }) => {
    const text = escapeXml(value).replaceAll("\n", "&#10;").replaceAll("\t", "&#9;");
    return ` ${prefix === "" ? "" : `${prefix}:`}${local}="${text}"`;
  });
  const inner = children
    .map((child) => (typeof child === "string" ? escapeXml(child) : writeElement(child, namespace)))
    .join("");
  const head = `<${name}${declared}${spaces.join("")}${values.join("")}`;
  return inner === "" ? `${head}/>` : `${head}>${inner}</${name}>`;
}

export const XML_HEAD = '<?xml version="1.0" encoding="utf-8"?>\n';
export const XML_TYPE = "application/xml; charset=utf-8";

export const davDocument = (root: string, inner: string): string =>
  `${XML_HEAD}<D:${root} xmlns:D="DAV:">${inner}</D:${root}>\n`;
