import { setImmediate } from "node:timers/promises";
import type { CallToolResult, Tool } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { codeTools } from "#app/agents/code-tools.server.ts";
import { fileTools } from "#app/agents/file-tools.server.ts";
import { libraryTools } from "#app/agents/library-tools.server.ts";
import { noteTools } from "#app/agents/note-tools.server.ts";
import type { AgentTool } from "#app/agents/tool.server.ts";
import { recordFault, toFaultRefusal } from "#app/web/answers/faults.server.ts";
import { readJson } from "#app/web/door/body.server.ts";
import { readBodyLimit } from "#app/web/door/route-policy.ts";
import type { RequestContext } from "#app/web/request-context.ts";
import type { SignedIn } from "#app/web/session/session.ts";
import { findInstructions } from "#db/accounts/agent-instructions.server.ts";
import { createPushEvent } from "#db/reminders/push/push-events.server.ts";
import type { TokenScope } from "#domain/accounts/access-token.ts";
import { isRefusal, Refusal, refusalBody, refusalStatus } from "#domain/refusal.ts";

/**
 * The Model Context Protocol over streamable HTTP. Nothing is stored between requests: each carries its token and gets its own server, so
 * any web process can answer.
 */
const AGENT_TOOLS: readonly AgentTool[] = [...fileTools, ...libraryTools, ...noteTools, ...codeTools];

/** Loads the protocol with the first agent that calls, because most processes never see one and it takes 10 MB. */
async function loadProtocol() {
  const [{ McpServer }, { WebStandardStreamableHTTPServerTransport }, { ListToolsRequestSchema }] =
    await Promise.all([
      import("@modelcontextprotocol/sdk/server/mcp.js"),
      import("@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"),
      import("@modelcontextprotocol/sdk/types.js"),
    ]);
  return { McpServer, WebStandardStreamableHTTPServerTransport, ListToolsRequestSchema };
}

const toAnnotations = (tool: AgentTool) => ({
  readOnlyHint: tool.scope === "read",
  destructiveHint: tool.scope === "write" && tool.replaces === true,
  openWorldHint: false,
});

const INSTRUCTIONS = `Codeshelf is a personal library of code files, with notes and reminders on them.
Find files by search, read them by their path or id, and save them at a path. To replace a text, send the version that you read; every version stays.
A long text comes in pieces: ask again from next_line, and from next_column where there is one. Lists go on with next_cursor.`;

/** The tools that a token of each scope may use. They are listed once, because the SDK would convert every schema again for each message. */
const listTools: Record<TokenScope, () => Tool[]> = {
  read: createToolList("read"),
  write: createToolList("write"),
};

function createToolList(scope: TokenScope): () => Tool[] {
  let tools: Tool[] | undefined;
  return () => {
    tools ??= AGENT_TOOLS.filter((tool) => !checkScope(tool, scope)).map((tool) => ({
      name: tool.name,
      title: tool.title,
      description: tool.description,
      inputSchema: z.toJSONSchema(tool.input, { target: "draft-7", io: "input" }) as Tool["inputSchema"],
      annotations: toAnnotations(tool),
    }));
    return tools;
  };
}

type Holder = { signedIn: SignedIn; scope: TokenScope };

/** More than any agent sends at once. */
const BATCH_MAX = 50;

/** Answers the messages of a batch one after another and lets other requests run in between. */
export async function answerAgent(
  request: Request,
  context: RequestContext,
  holder: Holder,
): Promise<Response> {
  const body = await readJson(request, readBodyLimit(context.policy));
  if (isRefusal(body)) return answerUnreadMessage(body);
  if (!Array.isArray(body)) return answerMessage(request, context, holder, body);
  if (body.length > BATCH_MAX) return answerUnreadMessage(Refusal("invalid_payload", { max: BATCH_MAX }));
  const answers: unknown[] = [];
  for (const message of body) {
    const response = await answerMessage(request, context, holder, message);
    const text = await response.text();
    if (text !== "") answers.push(JSON.parse(text));
    await setImmediate();
  }
  return answers.length > 0 ? Response.json(answers) : new Response(null, { status: 202 });
}

export const answerAgentFault = (context: RequestContext, error: unknown): Response =>
  answerUnreadMessage(toFaultRefusal(recordFault(context, "POST", error)));

async function answerMessage(
  request: Request,
  context: RequestContext,
  holder: Holder,
  message: unknown,
): Promise<Response> {
  const refusal = checkRequestRate(context, holder.signedIn.user.id);
  if (refusal) return answerUnreadMessage(refusal, findId(message));
  const { McpServer, WebStandardStreamableHTTPServerTransport, ListToolsRequestSchema } =
    await loadProtocol();
  const instructions = await readInstructions(context, holder, message);
  const server = new McpServer({ name: "codeshelf", title: "Codeshelf", version: "1" }, { instructions });
  for (const tool of AGENT_TOOLS) {
    const { name, title, description, input } = tool;
    const config = { title, description, inputSchema: input, annotations: toAnnotations(tool) };
    server.registerTool(name, config, (input: unknown) => callTool(tool, input, context, holder));
  }
  server.server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listTools[holder.scope]() }));
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  return transport.handleRequest(request, { parsedBody: message });
}

async function readInstructions(
  { services: { db } }: RequestContext,
  { signedIn }: Holder,
  message: unknown,
): Promise<string | undefined> {
  if (!initializeMessage.safeParse(message).success) return undefined;
  const { text } = await findInstructions(db, signedIn.user.id);
  return text === "" ? INSTRUCTIONS : `${INSTRUCTIONS}\n\nThe owner of this library asks:\n${text}`;
}

const initializeMessage = z.object({ method: z.literal("initialize") });

const [PARSE_ERROR, SERVER_ERROR] = [-32700, -32000];

/** Answers a message that was not read with an error of the protocol. */
function answerUnreadMessage(refusal: Refusal, id: string | number | null = null): Response {
  const code = refusal.refused === "invalid_payload" ? PARSE_ERROR : SERVER_ERROR;
  const error = { code, message: refusalBody(refusal).message ?? refusal.refused };
  return Response.json({ jsonrpc: "2.0", error, id }, { status: refusalStatus(refusal) });
}

const messageId = z.object({ id: z.union([z.string(), z.number()]) });
const findId = (message: unknown) => messageId.safeParse(message).data?.id ?? null;

async function callTool(
  tool: AgentTool,
  input: unknown,
  context: RequestContext,
  { signedIn, scope }: Holder,
): Promise<CallToolResult> {
  const { services } = context;
  const { user } = signedIn;
  const refusal = checkWriteRate(tool, context, user.id) ?? checkScope(tool, scope);
  if (refusal) return refusedResult(refusal);
  try {
    const answer = await tool.answer({ services, signedIn, user, signal: context.clientGone(), input });
    if (isRefusal(answer)) return refusedResult(answer);
    const pushEvent = tool.scope === "write" ? tool.tells(answer) : null;
    if (pushEvent) await createPushEvent(services.db, user.id, pushEvent, services.clock());
    return toToolResult({ ok: true, ...answer });
  } catch (error) {
    return refusedResult(Refusal(recordFault(context, `mcp ${tool.name}`, error)));
  }
}

const checkScope = (tool: AgentTool, scope: TokenScope) =>
  tool.scope === "write" && scope !== "write" ? Refusal("read_only_token") : null;

/** One request may carry several messages; each counts as a request. */
function checkRequestRate({ services: { rateCounter, env } }: RequestContext, userId: string) {
  return toRateRefusal(rateCounter.wait(`user ${userId} mcp`, env.requestsPerMinute));
}

/** Each change counts as a write of its kind. */
function checkWriteRate(tool: AgentTool, { services: { rateCounter, env } }: RequestContext, userId: string) {
  if (tool.scope !== "write" || tool.saves) return null;
  return toRateRefusal(rateCounter.wait(`user ${userId} mcp ${tool.name}`, env.writesPerMinute));
}

const toRateRefusal = (retry_after: number | null) =>
  retry_after === null ? null : Refusal("rate_limit_exceeded", { retry_after });

function toToolResult(answer: Record<string, unknown>): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(answer) }] };
}

const refusedResult = (refusal: Refusal): CallToolResult => ({
  ...toToolResult({ ok: false, ...refusalBody(refusal) }),
  isError: true,
});
