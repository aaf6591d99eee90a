import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { codeTools } from "#app/agents/code-tools.server.ts";
import { fileTools } from "#app/agents/file-tools.server.ts";
import { libraryTools } from "#app/agents/library-tools.server.ts";
import { noteTools } from "#app/agents/note-tools.server.ts";
import type { AgentTool } from "#app/agents/tool.server.ts";
import { recordFault } from "#app/http/answers/faults.server.ts";
import { readJson } from "#app/http/door/body.server.ts";
import { readBodyLimit } from "#app/http/door/route-policy.ts";
import type { RequestContext, SignedIn } from "#app/http/request-context.ts";
import { createPushEvent } from "#db/push/push-events.server.ts";
import type { TokenScope } from "#domain/accounts/access-token.ts";
import { isRefusal, Refusal, refusalBody, refusalStatus } from "#domain/refusal.ts";

/**
 * The Model Context Protocol over streamable HTTP. Nothing is kept between requests: each brings its token and gets a server of
 * its own, so any number of web processes may answer.
 */
const AGENT_TOOLS: readonly AgentTool[] = [...fileTools, ...libraryTools, ...noteTools, ...codeTools];

/** Loaded with the first agent that calls: most processes never see one, and it takes 10 MB. */
async function loadProtocol() {
  const [{ McpServer }, { WebStandardStreamableHTTPServerTransport }] = await Promise.all([
    import("@modelcontextprotocol/sdk/server/mcp.js"),
    import("@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"),
  ]);
  return { McpServer, WebStandardStreamableHTTPServerTransport };
}

type Holder = { signedIn: SignedIn; scope: TokenScope };

export async function answerAgent(
  request: Request,
  context: RequestContext,
  holder: Holder,
): Promise<Response> {
  const { McpServer, WebStandardStreamableHTTPServerTransport } = await loadProtocol();
  const server = new McpServer({ name: "codeshelf", title: "Codeshelf", version: "1" });
  for (const tool of AGENT_TOOLS) {
    const { name, title, description, input, scope } = tool;
    const annotations = { readOnlyHint: scope === "read", destructiveHint: false, openWorldHint: false };
    server.registerTool(name, { title, description, inputSchema: input, annotations }, (given: unknown) =>
      callTool(tool, given, context, holder),
    );
  }
  const parsedBody = await readJson(request, readBodyLimit(context.policy));
  if (isRefusal(parsedBody)) return unreadMessage(parsedBody);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  return transport.handleRequest(request, { parsedBody });
}

const [PARSE_ERROR, SERVER_ERROR] = [-32700, -32000];

/** What the protocol says to a message that was not read. */
function unreadMessage(refusal: Refusal): Response {
  const code = refusal.refused === "invalid_payload" ? PARSE_ERROR : SERVER_ERROR;
  const error = { code, message: refusalBody(refusal).message ?? refusal.refused };
  return Response.json({ jsonrpc: "2.0", error, id: null }, { status: refusalStatus(refusal) });
}

async function callTool(
  tool: AgentTool,
  input: unknown,
  context: RequestContext,
  { signedIn, scope }: Holder,
): Promise<CallToolResult> {
  const { services } = context;
  const { user } = signedIn;
  const refusal = withoutTurn(tool, context, user.id) ?? beyondScope(tool, scope);
  if (refusal) return refusedResult(refusal);
  try {
    const answer = await tool.answer({ services, signedIn, user, signal: context.clientGone(), input });
    if (isRefusal(answer)) return refusedResult(answer);
    const news = tool.scope === "write" ? tool.tells(answer) : null;
    if (news) await createPushEvent(services.db, user.id, news, services.clock());
    return toToolResult({ ok: true, ...answer });
  } catch (error) {
    return refusedResult(Refusal(recordFault(context, `mcp ${tool.name}`, error)));
  }
}

const beyondScope = (tool: AgentTool, scope: TokenScope) =>
  tool.scope === "write" && scope !== "write" ? Refusal("read_only_token") : null;

/** One request may bring several calls; each counts as a request, and each change as a write of its kind. */
function withoutTurn(
  { name, scope }: AgentTool,
  { services: { rateCounter, env } }: RequestContext,
  userId: string,
) {
  const who = `user ${userId} mcp`;
  const calls = rateCounter.wait(who, env.requestsPerMinute);
  const writes = scope === "write" ? rateCounter.wait(`${who} ${name}`, env.writesPerMinute) : null;
  const retry_after = calls ?? writes;
  return retry_after === null ? null : Refusal("rate_limit_exceeded", { retry_after });
}

function toToolResult(answer: Record<string, unknown>): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(answer) }], structuredContent: answer };
}

const refusedResult = (refusal: Refusal): CallToolResult => ({
  ...toToolResult({ ok: false, ...refusalBody(refusal) }),
  isError: true,
});
