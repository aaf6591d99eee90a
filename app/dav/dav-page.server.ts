import { answerDav, DAV_METHODS } from "#app/dav/dav.server.ts";
import type { Page } from "#app/web/answers/pages.ts";
import { toWebRequest } from "#app/web/answers/web-request.ts";
import { readOwnOrigin } from "#app/web/door/cross-site.ts";
import { DAV_ROOT } from "#domain/dav/dav-path.ts";
import { BODY_MAX_BYTES } from "#domain/files/file.ts";

/** WebDAV as a page of the app: Remix knows none of its methods, but all middleware before the routes applies. */
export const davPage: Page = {
  pattern: `${DAV_ROOT}/*`,
  methods: DAV_METHODS,
  policy: { bodyMaxBytes: BODY_MAX_BYTES, rateClass: "file-client", refusals: "own-words", dots: "refused" },
  answer: (req, context) =>
    answerDav({
      // A fixed path, because a client's path may not parse.
      request: toWebRequest(req, `${DAV_ROOT}/`, context.clientGone()),
      context,
      encodedPath: req.originalUrl.split("?")[0] ?? "",
      host: readOwnOrigin(req).replace(/^https?:\/\//, ""),
    }),
};
