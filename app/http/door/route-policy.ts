/**
 * What the door holds a request to before its route sees it, as the route's `handle` says. It is read by both sides of the build,
 * so it holds plain values. What a handle leaves out is the strictest there is.
 */
export type RoutePolicy = {
  /** The most that a form or a JSON body of this route may have; it is read into memory. */
  bodyMaxBytes?: number;
  /** The most that a body may have which the route writes to disk as it comes. */
  streamMaxBytes?: number;
  /** Where a GET is answered that asks for JSON by name; a name after a colon stands for the same one of the route's own path. */
  jsonTwin?: `/api/${string}`;
  /** Who may show the answer in a frame: our own pages, or everyone, where the answer's own content policy says so as well; without it nobody. */
  framing?: "own-pages" | "everyone";
  /** Search engines may list the page. */
  robots?: "index";
  /** Links in the answer send no Referer; without it, they send one to our own pages only. */
  referrer?: "none";
  /** The page carries the messenger's login widget, where there is one. */
  loginWidget?: true;
  /**
   * `counts-own-writes`: what is sent here may be reading, so the route counts its writes itself. `file-client`: a program asks here
   * many times for one act of a person, so it has turns of its own. Without it, whatever is sent counts as a write.
   */
  rateClass?: "counts-own-writes" | "file-client";
  /** The route says in its own words what is refused before it; without it, people get the error page and programs plain JSON. */
  refusals?: "own-words";
  /** An address with `.` or `..` between slashes is refused; without it, it means the address that these lead to. */
  dots?: "refused";
  /** The route answers for every method itself; without it, GET needs a loader and POST an action. */
  methods?: "any";
};

const BODY_MAX_BYTES = 256 * 1024;

/** Beyond this nothing is read at all. Below it, a body that is too large is read on, so that its sender learns why it is refused. */
const ARRIVING_MAX_BYTES = 32 * 1024 * 1024;

export const STRICT_POLICY: RoutePolicy = {};

export const readBodyLimit = ({ bodyMaxBytes = BODY_MAX_BYTES }: RoutePolicy): number => bodyMaxBytes;

export const readArrivingLimit = ({ streamMaxBytes = ARRIVING_MAX_BYTES }: RoutePolicy): number =>
  streamMaxBytes;
