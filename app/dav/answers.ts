import { STATUS_CODES } from "node:http";
import { davDocument, davElement, escapeXml, XML_TYPE } from "#app/dav/xml-write.ts";
import { toHref } from "#domain/dav/dav-path.ts";
import { DavProblem } from "#domain/dav/dav-problem.ts";

const REALM = 'Basic realm="Codeshelf", charset="UTF-8"';
const OURS = "urn:codeshelf";

export function xmlResponse(status: number, xml: string, headers: Record<string, string> = {}): Response {
  return new Response(xml, {
    status,
    headers: {
      "Content-Type": XML_TYPE,
      "Content-Length": String(Buffer.byteLength(xml)),
      "Cache-Control": "private, no-store",
      ...headers,
    },
  });
}

export function problemResponse(problem: DavProblem): Response {
  const { status } = problem;
  return xmlResponse(status, davDocument("error", toProblemElements(problem)), toHeaders(problem));
}

const toHeaders = ({ status, retryAfter }: DavProblem): Record<string, string> => ({
  ...(status === 401 ? { "WWW-Authenticate": REALM } : {}),
  ...(retryAfter === undefined ? {} : { "Retry-After": String(retryAfter) }),
});

const FOR_BROWSERS = `This is a WebDAV address. Add it as a network drive:
Finder: Go, Connect to Server. Explorer: Map network drive. GNOME Files: Other Locations, with davs:// in place of https://.
Use any user name, and an access token as the password. Make one at /settings/tokens. Your files are at /files.
`;

/** Explains to a person who opens the address in a browser how to use it. */
export function browserResponse(problem: DavProblem): Response {
  return new Response(`${problem.message}\n\n${FOR_BROWSERS}`, {
    status: problem.status,
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "private, no-store",
      ...toHeaders(problem),
    },
  });
}

function toProblemElements({ condition, paths = [], code, message }: DavProblem): string {
  const hrefs = paths.map((names) => davElement("href", toHref(names, false))).join("");
  const conditionXml = condition ? davElement(condition, hrefs) : "";
  const codeXml = code ? `<C:code xmlns:C="${OURS}">${escapeXml(code)}</C:code>` : "";
  return `${conditionXml}${codeXml}<C:message xmlns:C="${OURS}">${escapeXml(message)}</C:message>`;
}

export const statusLine = (status: number): string =>
  davElement("status", `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`);

export type FailedPart = { names: readonly string[]; isFolder: boolean; problem: DavProblem };

export function failuresResponse(parts: readonly FailedPart[]): Response {
  const responses = parts.map(({ names, isFolder, problem }) =>
    davElement(
      "response",
      davElement("href", toHref(names, isFolder)) +
        statusLine(problem.status) +
        davElement("error", toProblemElements(problem)),
    ),
  );
  return xmlResponse(207, davDocument("multistatus", responses.join("")));
}

export const done = (status: 201 | 204, headers: Record<string, string> = {}): Response =>
  new Response(null, { status, headers });

export const notFound = (): DavProblem => DavProblem(404, "Nothing exists at this address.");
