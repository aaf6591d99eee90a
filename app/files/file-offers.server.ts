import type { WebServices } from "#app/http/request-context.ts";

/** What this server offers to do with any file: who explains it, and whether a code host takes it. */
export function readFileOffers({ explainer, codehost }: WebServices) {
  return { provider: explainer.provider, sendable: codehost.apiUrl !== null };
}
