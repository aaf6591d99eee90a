import type { Page } from "#app/http/answers/pages.ts";
import type { RequestContext } from "#app/http/request-context.ts";

declare global {
  namespace Express {
    /** What earlier steps of a request leave for later ones (app.ts has their order). */
    interface Locals {
      context: RequestContext;
      page: Page;
    }
  }
}
