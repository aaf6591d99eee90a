import type { ActionFunctionArgs } from "@remix-run/node";
import { answerAgent } from "#app/agents/mcp.server.ts";
import { requireHolder } from "#app/http/session/gates.server.ts";

/** The door for agents; it speaks the Model Context Protocol, and to holders of a token alone. */
export async function action(args: ActionFunctionArgs) {
  return answerAgent(args.request, args.context, await requireHolder(args));
}
