import type { Page } from "#app/web/answers/pages.ts";
import type { RequestContext } from "#app/web/request-context.ts";

declare global {
  namespace Express {
    /** Left by earlier steps of a request for later ones (app.ts has their order). */
    interface Locals {
      context: RequestContext;
      page: Page;
      /** Called when the answer is made and only has to be sent (load-shedding.ts). */
      stopCounting?: () => void;
    }
  }
}
