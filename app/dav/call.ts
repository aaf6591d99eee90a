import type { RequestContext, WebServices } from "#app/http/request-context.ts";
import type { DavPath } from "#domain/dav/dav-path.ts";
import type { DavProblem } from "#domain/dav/dav-problem.ts";

/** One request of a WebDAV client that has shown its token. */
export type DavCall = {
  request: Request;
  context: RequestContext;
  services: WebServices;
  ownerId: string;
  /** Tells the clients of one person apart: the digest of the token they show. */
  client: string;
  path: DavPath;
  /** The host that the client knows this server by. */
  host: string;
  now: Date;
};

export type DavAnswer = Response | DavProblem;
