import { describe, expect, it } from "vitest";
import type { TokenScope } from "#domain/accounts/access-token.ts";
import { openTestWeb } from "#tests/support/web.ts";

const web = await openTestWeb({ RATE_LIMIT_REQUESTS_PER_MINUTE: "60" });

async function openAgent(scope: TokenScope = "write") {
  const { id } = await web.person();
  const { secret } = await web.given.token(id, scope);
  const headers = { Authorization: `Bearer ${secret}`, Accept: "application/json, text/event-stream" };
  return (body: unknown) => web.visitor().send("POST", "/mcp", body, headers);
}

const listTools = (id: number) => ({ jsonrpc: "2.0", id, method: "tools/list" });
const list = (count: number) => Array.from({ length: count }, (_, n) => listTools(n));
type Answer = { id: number; result?: { tools: { name: string }[] }; error?: { message: string } };

describe("messages of agents", () => {
  it("are each answered in a batch, and each counts as a request", async () => {
    const send = await openAgent();

    const first: Answer[] = (await send(list(50))).body;
    const second: Answer[] = (await send(list(50))).body;

    expect(first.map(({ id }) => id)).toEqual(list(50).map(({ id }) => id));
    expect(first.every(({ result }) => result)).toBe(true);
    expect(second.filter(({ result }) => result)).toHaveLength(10);
    expect(second.at(-1)).toMatchObject({
      id: 49,
      error: { message: expect.stringMatching(/minute|again|many/i) },
    });
  });

  it("beyond fifty in a batch are refused", async () => {
    const { status, body } = await (await openAgent())(list(51));

    expect([status, body.error.code]).toEqual([400, -32700]);
  });

  it("that are only notifications are accepted without an answer", async () => {
    const note = { jsonrpc: "2.0", method: "notifications/initialized" };

    expect(await (await openAgent())([note, note])).toMatchObject({ status: 202, body: "" });
  });

  it("list the tools that their token may use, and no others", async () => {
    const listNames = async (scope: TokenScope) => {
      const { body } = await (await openAgent(scope))(listTools(1));
      return (body as Answer).result?.tools.map(({ name }) => name);
    };

    expect(await listNames("write")).toEqual(expect.arrayContaining(["read_file", "save_file"]));
    expect(await listNames("read")).toContain("read_file");
    expect(await listNames("read")).not.toContain("save_file");
  });
});
