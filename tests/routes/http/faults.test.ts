import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { recordFault } from "#app/http/answers/faults.server.ts";
import type { RequestContext } from "#app/http/request-context.ts";
import { openTestWeb } from "#tests/support/web.ts";

function givenContext({ isGone }: { isGone: boolean }) {
  const said: unknown[] = [];
  const note = (...words: unknown[]) => void said.push(words);
  const services = { log: { error: note }, db: { emit: note } };
  const clientGone = () => (isGone ? AbortSignal.abort() : new AbortController().signal);
  const context = { services, clientGone, routeName: () => "/upload" } as unknown as RequestContext;
  return { said, context };
}

const lose = (message: string) => Object.assign(new Error(message), { code: "ECONNRESET" });

describe("a lost connection", () => {
  it("of the client is no fault", () => {
    const { said, context } = givenContext({ isGone: true });
    expect(recordFault(context, "POST", lose("aborted"))).toBe("internal");
    expect(said).toEqual([]);
  });

  it.each([
    ["the database, while the client goes away, too", true, "read ECONNRESET"],
    ["somebody else, while the client waits", false, "aborted"],
  ])("of %s is written down", (_, isGone, message) => {
    const { said, context } = givenContext({ isGone });
    expect(recordFault(context, "POST", lose(message))).toBe("storage_unavailable");
    expect(said).toHaveLength(2);
  });

  it("in the middle of an upload leaves nothing about a fault in the log", async () => {
    const web = await openTestWeb();
    const visitor = await web.person();
    const atWork = async () =>
      /^codeshelf_requests_at_work (\d+)$/m.exec((await web.visitor().send("GET", "/metrics")).body)?.[1];
    const { hostname, port } = new URL(web.url);
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const head = `PUT /api/files/a.py HTTP/1.1\r\nHost: ${hostname}:${port}\r\nCookie: ${cookie}\r\nContent-Length: 5000`;
    const socket = connect(Number(port), hostname);
    socket.write(`${head}\r\n\r\n${"x".repeat(1_000)}`);
    await expect.poll(atWork, { timeout: 20_000 }).toBe("1");
    socket.destroy();
    await expect.poll(atWork, { timeout: 20_000 }).toBe("0");
    expect(web.log.filter((line) => line.includes("request_fault"))).toEqual([]);
  });
});
