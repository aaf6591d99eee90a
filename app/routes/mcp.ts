import type { ActionFunctionArgs } from "@remix-run/node";
import { answerAgent, answerAgentFault } from "#app/agents/mcp.server.ts";
import type { RouteHandle } from "#app/page-handle.ts";
import { requireTokenHolder } from "#app/web/session/gates.server.ts";
import { BODY_MAX_BYTES } from "#domain/files/file.ts";

export const handle: RouteHandle = {
  // JSON writes one byte of a text as six bytes at most.
  bodyMaxBytes: 6 * BODY_MAX_BYTES + 64 * 1024,
  rateClass: "counts-own-writes",
};

/** The endpoint for agents. It speaks the Model Context Protocol and needs a token. */
export async function action(args: ActionFunctionArgs) {
  try {
    return await answerAgent(args.request, args.context, await requireTokenHolder(args));
  } catch (error) {
    if (error instanceof Response) return error;
    return answerAgentFault(args.context, error);
  }
}
