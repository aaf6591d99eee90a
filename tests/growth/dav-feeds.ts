/** Inputs of WebDAV that grow: XML bodies by their shape, long conditions, and the texts of files. */
import { XML_MAX_BYTES } from "#app/dav/xml-read.ts";
import { BODY_MAX_BYTES } from "#domain/files/file.ts";
import { type Feed, fitText, type Stage } from "./feeds.ts";
import { repeatTo } from "./floods.ts";

/** Node limits all headers of a request to 16 KB. */
const HEADER_BYTES = 10_000;
const HELD = "(<opaquelocktoken:00000000-0000-0000-0000-000000000000>)";

type Send = (init: RequestInit, path?: string) => Promise<Response>;
type Shape = {
  name: string;
  method: string;
  bytes: number;
  /** Runs before the measured request, after the file is made. */
  begin?(send: Send, text: string): Promise<unknown>;
  init(bytes: number, text: string): RequestInit;
};

const BACKUP = "/dav/grown.txt~";
const moveAway = { method: "MOVE", headers: { Destination: BACKUP, Overwrite: "T" } };

const xml = (body: string): RequestInit => ({ body, headers: { "Content-Type": "application/xml" } });
const inProps = (inside: string) => xml(`<propfind xmlns="DAV:"><prop>${inside}</prop></propfind>`);

const SHAPES: readonly Shape[] = [
  { name: "a text", method: "PUT", bytes: BODY_MAX_BYTES, init: (_, text) => ({ body: text }) },
  {
    name: "a text that leaves its name",
    method: "MOVE",
    bytes: BODY_MAX_BYTES,
    begin: (send, text) => send({ method: "PUT", body: text }),
    init: () => moveAway,
  },
  {
    name: "a text for a name that another one left",
    method: "PUT",
    bytes: BODY_MAX_BYTES,
    begin: async (send, text) => {
      await send({ method: "PUT", body: `${text.slice(1)}-` });
      await send(moveAway);
    },
    init: (_, text) => ({ body: text }),
  },
  { name: "no XML", method: "PROPFIND", bytes: XML_MAX_BYTES, init: (_, text) => xml(text) },
  {
    name: "many properties",
    method: "PROPFIND",
    bytes: XML_MAX_BYTES,
    init: (bytes) => inProps(repeatTo(bytes, (n) => `<x${n}/>`)),
  },
  {
    name: "many namespaces",
    method: "PROPFIND",
    bytes: XML_MAX_BYTES,
    init: (bytes) => inProps(repeatTo(bytes, (n) => `<x xmlns="urn:${n}"/>`)),
  },
  {
    name: "many attributes",
    method: "PROPPATCH",
    bytes: XML_MAX_BYTES,
    init: (bytes) => xml(`<propertyupdate xmlns="DAV:" ${repeatTo(bytes, (n) => `a${n}="" `)}/>`),
  },
  {
    name: "elements in each other",
    method: "PROPPATCH",
    bytes: XML_MAX_BYTES,
    init: (bytes) => xml(`${"<a>".repeat(bytes / 7)}${"</a>".repeat(bytes / 7)}`),
  },
  { name: "a value", method: "PROPPATCH", bytes: XML_MAX_BYTES, init: (_, text) => xml(buildUpdate(text)) },
  {
    name: "many references",
    method: "LOCK",
    bytes: XML_MAX_BYTES,
    init: (bytes) => xml(`<lockinfo xmlns="DAV:"><owner>${"&#65;".repeat(bytes / 5)}</owner></lockinfo>`),
  },
  {
    name: "many conditions",
    method: "PUT",
    bytes: HEADER_BYTES,
    init: (bytes) => ({ body: "x", headers: { If: repeatTo(bytes, () => `${HELD} `) } }),
  },
  {
    name: "open brackets",
    method: "DELETE",
    bytes: HEADER_BYTES,
    init: (bytes) => ({ headers: { If: "(".repeat(bytes) } }),
  },
  {
    name: "a long destination",
    method: "MOVE",
    bytes: HEADER_BYTES,
    init: (bytes) => ({ headers: { Destination: `/dav/${"a/".repeat(bytes / 2)}` } }),
  },
];

const escapeXml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const buildUpdate = (text: string) =>
  `<propertyupdate xmlns="DAV:"><set><prop><x xmlns="urn:x">${escapeXml(text)}</x></prop></set></propertyupdate>`;

export const davFeeds = ({ web }: Stage, token: string): Feed[] =>
  SHAPES.map(({ name, method, bytes, begin, init }) => ({
    name: `${name} by ${method}`,
    bytes,
    isShown: method === "PUT" || method.startsWith("PROP"),
    async prepare(hostile, length) {
      const text = fitText(hostile, length, escapeXml);
      const { headers, ...sent } = init(length, text);
      const send: Send = (request, path = "/dav/grown.txt") =>
        web.people.anyone(path, {
          ...request,
          headers: { Authorization: `Bearer ${token}`, Depth: "0", ...(request.headers as object) },
        });
      await send({ method: "DELETE" }, BACKUP);
      await send({ method: "PUT", body: "a file that is there" });
      await begin?.(send, text);
      return () => send({ method, ...sent, ...(headers && { headers }) });
    },
  }));
