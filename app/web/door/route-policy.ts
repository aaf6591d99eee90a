/**
 * The limits and headers that a route declares in its `handle`, applied before the route runs. Both sides of the build read it, so it
 * holds plain values. A missing field means the strictest choice.
 */
export type RoutePolicy = {
  /** The largest form or JSON body of this route; it is read into memory. */
  bodyMaxBytes?: number;
  /** The largest body that the route writes to disk while it arrives. */
  streamMaxBytes?: number;
  /** The endpoint that answers a GET that asks for JSON by name; its parameters are filled from the route's path. */
  jsonTwin?: `/api/${string}`;
  /** "everyone" also needs the answer's own content policy. Without it nobody may show the answer in a frame. */
  framing?: "own-pages" | "everyone";
  robots?: "index";
  /** Links in the answer send no Referer; without it, only to our own pages. */
  referrer?: "none";
  /** The page carries the messenger's login widget if one is configured. */
  loginWidget?: true;
  /**
   * `counts-own-writes`: requests here may only read, so the route counts its writes itself. `file-client`: a program sends many requests
   * for one action of a person, so they have their own limits. Without it, every sent form counts as a write.
   */
  rateClass?: "counts-own-writes" | "file-client";
  /** The route words its refusals itself; without it, people get the error page and programs plain JSON. */
  refusals?: "own-words";
  /** An address with `.` or `..` as a segment is refused; without it, the segments are resolved. */
  dots?: "refused";
  /** The route answers all methods itself; without it, GET needs a loader and POST an action. */
  methods?: "any";
};

const BODY_MAX_BYTES = 256 * 1024;

/** Larger bodies are not read at all. A smaller one that is still too large is read, so that its sender learns why it is refused. */
const ARRIVING_MAX_BYTES = 32 * 1024 * 1024;

export const STRICT_POLICY: RoutePolicy = {};

export const readBodyLimit = ({ bodyMaxBytes = BODY_MAX_BYTES }: RoutePolicy): number => bodyMaxBytes;

export const readArrivingLimit = ({ streamMaxBytes = ARRIVING_MAX_BYTES }: RoutePolicy): number =>
  streamMaxBytes;
