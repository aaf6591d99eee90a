import { SaxesParser } from "saxes";
import { DavProblem } from "#domain/dav/dav-problem.ts";

/** An element with its namespace. Prefixes are dropped, except those of attributes. */
export type XmlElement = {
  namespace: string;
  name: string;
  attributes: readonly XmlAttribute[];
  children: readonly (XmlElement | string)[];
};
type XmlAttribute = { prefix: string; namespace: string; name: string; value: string };

export const XML_MAX_BYTES = 64 * 1024;
const DEPTH_MAX = 32;
const ELEMENTS_MAX = 2_000;
/** A body declares a namespace once, but every element written by itself repeats it. */
const EXPANDED_MAX = 4 * XML_MAX_BYTES;
const XMLNS = "http://www.w3.org/2000/xmlns/";

class UnreadableXml extends Error {}

// A parser's message quotes the text that it could not read.
const REASON_MAX = 200;

/**
 * Parses a body to its root element in one pass. A body with a document type is refused, so no entity and no file is ever read. Depth,
 * number of elements and their length when written separately are limited.
 */
export function parseXml(bytes: Uint8Array): XmlElement | DavProblem {
  try {
    return readRoot(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    if (!(error instanceof UnreadableXml || error instanceof TypeError)) throw error;
    const reason = error instanceof UnreadableXml ? error.message.slice(0, REASON_MAX) : "it is not UTF-8.";
    return DavProblem(400, `The body is not XML that is accepted here: ${reason}`, {
      code: "invalid_payload",
    });
  }
}

type OpenElement = Omit<XmlElement, "children"> & { children: (XmlElement | string)[] };

function readRoot(text: string): XmlElement {
  const parser = new SaxesParser({ xmlns: true });
  const open: OpenElement[] = [];
  let root: XmlElement | null = null;
  let elements = 0;
  let expandedLength = 0;
  parser.on("error", ({ message }) => refuseXml(message));
  parser.on("doctype", () => refuseXml("it declares a document type."));
  parser.on("opentag", ({ uri, local, attributes }) => {
    elements += 1;
    if (elements > ELEMENTS_MAX) refuseXml(`it has more than ${ELEMENTS_MAX} elements.`);
    if (open.length === DEPTH_MAX) refuseXml(`it is more than ${DEPTH_MAX} elements deep.`);
    const element = { namespace: uri, name: local, attributes: listAttributes(attributes), children: [] };
    expandedLength += measureTag(element);
    if (expandedLength > EXPANDED_MAX) refuseXml("its elements repeat too long a namespace.");
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  parser.on("closetag", () => void open.pop());
  for (const event of ["text", "cdata"] as const)
    parser.on(event, (piece: string) => void open.at(-1)?.children.push(piece));
  parser.write(text).close();
  return root ?? refuseXml("it has no element.");
}

const measureTag = ({ namespace, name, attributes }: OpenElement): number =>
  attributes.reduce(
    (sum, attribute) => sum + attribute.namespace.length + attribute.name.length + attribute.value.length,
    namespace.length + 2 * name.length,
  );

function refuseXml(reason: string): never {
  throw new UnreadableXml(reason);
}

type ReadAttributes = Record<string, { prefix: string; uri: string; local: string; value: string }>;

function listAttributes(attributes: ReadAttributes): XmlAttribute[] {
  return Object.values(attributes)
    .filter(({ uri }) => uri !== XMLNS)
    .map(({ prefix, uri, local, value }) => ({ prefix, namespace: uri, name: local, value }));
}

export const DAV = "DAV:";

export const isDav = (element: XmlElement, name: string): boolean =>
  element.namespace === DAV && element.name === name;

export const listElements = ({ children }: XmlElement): XmlElement[] =>
  children.filter((child) => typeof child !== "string");

export const findDav = (element: XmlElement, name: string): XmlElement | undefined =>
  listElements(element).find((child) => isDav(child, name));
