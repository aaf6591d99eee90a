import type { RequestContext, WebServices } from "#app/web/request-context.ts";
import type { DavPath } from "#domain/dav/dav-path.ts";
import type { DavProblem } from "#domain/dav/dav-problem.ts";

export type DavCall = {
  request: Request;
  context: RequestContext;
  services: WebServices;
  ownerId: string;
  /** The digest of the token, which distinguishes the clients of one person. */
  client: string;
  path: DavPath;
  host: string;
  now: Date;
};

export type DavAnswer = Response | DavProblem;
