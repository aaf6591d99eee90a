import { createReadableStreamFromReadable } from "@remix-run/node";
import type { Request as ExpressRequest, Response as ExpressResponse } from "express";
import { answerDav, DAV_METHODS } from "#app/dav/dav.server.ts";
import type { Page } from "#app/web/answers/pages.ts";
import { writeBody } from "#app/web/answers/send-response.ts";
import { ownOrigin } from "#app/web/door/cross-site.ts";
import { DAV_ROOT } from "#domain/dav/dav-path.ts";
import { BODY_MAX_BYTES } from "#domain/files/file.ts";

/** WebDAV as a page of the app: Remix knows none of its methods, but all middleware before the routes applies. */
export const davPage: Page = {
  pattern: `${DAV_ROOT}/*`,
  methods: DAV_METHODS,
  policy: { bodyMaxBytes: BODY_MAX_BYTES, rateClass: "file-client", refusals: "own-words", dots: "refused" },
  serve: (req, res, next) => {
    serveDav(req, res).catch(next);
  },
};

async function serveDav(req: ExpressRequest, res: ExpressResponse): Promise<void> {
  const origin = ownOrigin(req);
  const request = toRequest(req, origin);
  const response = await answerDav({
    request,
    context: res.locals.context,
    encodedPath: req.originalUrl.split("?")[0] ?? "",
    host: origin.replace(/^https?:\/\//, ""),
  });
  res.status(response.status);
  for (const [name, value] of response.headers) res.setHeader(name, value);
  if (response.body) await writeBody(response.body, res);
  res.end();
}

const WITHOUT_BODY = new Set(["GET", "HEAD"]);

/** Uses a fixed address, because a client's address may not parse. */
function toRequest(req: ExpressRequest, origin: string): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers))
    for (const item of [value ?? []].flat()) headers.append(name, item);
  const body = WITHOUT_BODY.has(req.method)
    ? {}
    : { body: createReadableStreamFromReadable(req), duplex: "half" as const };
  const url = URL.canParse(origin) ? `${origin}${DAV_ROOT}/` : `http://localhost${DAV_ROOT}/`;
  return new Request(url, { method: req.method, headers, ...body });
}
