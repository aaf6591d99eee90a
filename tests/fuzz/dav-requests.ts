/** Invalid WebDAV requests of every method; the same seed gives the same requests. */
import fc from "fast-check";
import { DAV_METHODS } from "#app/dav/dav.server.ts";
import type { FuzzRequest } from "./requests.ts";

const NAMES = [
  "a.py",
  "b",
  "lib",
  ".DS_Store",
  "",
  ".",
  "..",
  "%2e%2e",
  "%00",
  "%FF",
  "%",
  "שלום",
  "a%2Fb",
  "x".repeat(300),
];
const path = fc.array(fc.constantFrom(...NAMES), { maxLength: 4 }).map((names) => `/dav/${names.join("/")}`);

const TOKEN = "<opaquelocktoken:00000000-0000-0000-0000-000000000000>";
const HEADERS: Record<string, readonly string[]> = {
  Depth: ["0", "1", "infinity", "2", "-1", ""],
  Destination: ["/dav/c.py", "/dav/lib/", "/dav/../x", "/files", "%", ""],
  Overwrite: ["T", "F", "x"],
  If: [
    `(${TOKEN})`,
    `(Not ${TOKEN})`,
    '(["1.1"])',
    "((((",
    "()",
    `</dav/a.py> (${TOKEN})`,
    "(".repeat(2_000),
  ],
  "Lock-Token": [TOKEN, "<>", "x"],
  Timeout: ["Second-60", "Infinite", "Second-99999999999999999999", "x"],
  "If-Match": ["*", '"0.1"', "W/x", ","],
  "Content-Range": ["bytes 0-1/2", "x"],
};
const header = fc
  .constantFrom(...Object.entries(HEADERS))
  .chain(([name, values]) => fc.constantFrom(...values).map((value) => [name, value] as const));

const LOCK =
  '<lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/></locktype></lockinfo>';
const BODIES = [
  ...["", "<", "x", "\0", "<a>", "<a/>", '<propfind xmlns="DAV:"><allprop/></propfind>', LOCK],
  '<propfind xmlns="DAV:"><prop><getetag/><x xmlns="urn:x"/></prop></propfind>',
  '<propertyupdate xmlns="DAV:"><set><prop><x xmlns="urn:x">one</x></prop></set></propertyupdate>',
  '<propertyupdate xmlns="DAV:"><remove><prop><getetag/></prop></remove></propertyupdate>',
  '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><propfind xmlns="DAV:"><prop>&b;</prop></propfind>',
  `${"<a>".repeat(500)}${"</a>".repeat(500)}`,
  `<propfind xmlns="DAV:"><prop>${"<x/>".repeat(3_000)}</prop></propfind>`,
  "x".repeat(70_000),
];

/** The token may write, so that requests reach the code behind the check. */
export function davRequests(seed: number, count: number, token: string): FuzzRequest[] {
  const request = fc.record({
    method: fc.constantFrom(...DAV_METHODS),
    path,
    headers: fc.array(header, { maxLength: 4 }),
    body: fc.constantFrom(...BODIES),
  });
  return fc.sample(request, { seed, numRuns: count }).map(({ method, headers, body, ...rest }) => ({
    ...rest,
    call: `${method} /dav/*`,
    method,
    headers: { Authorization: `Bearer ${token}`, ...Object.fromEntries(headers) },
    ...(["GET", "HEAD"].includes(method) ? {} : { body }),
    isPage: true,
    mayBeUnavailable: false,
  }));
}
