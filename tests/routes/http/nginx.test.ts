import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { bearer } from "#tests/support/accounts/credentials.ts";
import { createDavClient } from "#tests/support/dav/dav-client.ts";
import { findNginx } from "#tests/support/programs/find-nginx.ts";
import { type Nginx, startNginx } from "#tests/support/programs/nginx.ts";
import { openTestWeb, signed } from "#tests/support/web.ts";

const program = findNginx();
const HOST = "code.example.com";
const OWNER = "81";
const REQUESTS_PER_MINUTE = 30;
const UPLOAD_MAX = 256 * 1024 * 1024;

describe.skipIf(!program)("nginx with the configuration of the guide", async () => {
  if (!program) return;
  const web = await openTestWeb({
    TRUST_PROXY: "1",
    PREMIUM_USER_IDS: OWNER,
    PUBLIC_ORIGIN: `https://${HOST}`,
    RATE_LIMIT_REQUESTS_PER_MINUTE: String(REQUESTS_PER_MINUTE),
  });
  const directory = mkdtempSync(join(tmpdir(), "codeshelf-nginx-"));
  let nginx: Nginx;
  const { token } = await createDavClient(web, OWNER, "write");
  const authorization = bearer(token).headers;
  beforeAll(async () => {
    nginx = await startNginx(program, directory, web.url);
    await vi.waitFor(() => ask("GET", "/healthz"), { timeout: 10_000, interval: 20 });
  });
  afterAll(async () => {
    await nginx?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  /** Returns the answer with its head; the caller reads the body. */
  async function ask(
    method: string,
    path: string,
    {
      headers = {},
      body = "",
      isEnded = true,
    }: { headers?: OutgoingHttpHeaders; body?: string; isEnded?: boolean } = {},
  ): Promise<IncomingMessage> {
    const outgoing = request({
      ...{ host: "127.0.0.1", port: nginx.port, ca: nginx.ca, method, path, agent: false },
      // The certificate is for the address only.
      checkServerIdentity: () => undefined,
      headers: { Host: HOST, ...headers },
    });
    const response = once(outgoing, "response") as Promise<[IncomingMessage]>;
    if (isEnded) outgoing.end(body);
    else outgoing.write(body);
    const [answer] = await response;
    if (!isEnded) answer.once("close", () => outgoing.destroy());
    return answer;
  }

  const readText = async (answer: IncomingMessage) => (await answer.setEncoding("utf8").toArray()).join("");

  it("lets uploads of 256 MiB through, and forwards them while they arrive", async () => {
    const upload = (bytes: number, headers: OutgoingHttpHeaders) =>
      ask("PUT", "/api/files/large.txt", {
        headers: { "Content-Length": bytes, ...headers },
        body: "the first bytes",
        isEnded: false,
      });
    // The product answers after the first bytes, so the proxy did not wait for the rest.
    const ours = await upload(UPLOAD_MAX, {});
    expect(ours.statusCode).toBe(413);
    expect(ours.headers["x-request-id"]).toBeDefined();
    ours.destroy();
    const proxys = await upload(UPLOAD_MAX + 1, {});
    expect(proxys.statusCode).toBe(413);
    expect(proxys.headers["x-request-id"]).toBeUndefined();
    proxys.destroy();
  });

  it("forwards each event of a stream as it comes", async () => {
    const answer = await ask("POST", "/api/code/run", {
      headers: { ...authorization, "Content-Type": "application/json", Accept: "text/event-stream" },
      body: JSON.stringify({ code: "print(1)", language: "python" }),
    });
    const [first] = await once(answer.setEncoding("utf8"), "data");

    // No worker takes the program, so the stream has not ended.
    expect(answer.headers["content-type"]).toMatch("text/event-stream");
    expect(first).toMatch(/^event: queued\n/);
    expect(answer.complete).toBe(false);
    answer.destroy();
  });

  it("reports the client and https: cookies are for https only, and a client cannot choose its address", async () => {
    const auth_date = Math.floor(web.clock().getTime() / 1000);
    const login = await ask("POST", "/auth/messenger", {
      headers: { "Content-Type": "application/json", Origin: `https://${HOST}` },
      body: JSON.stringify(signed({ id: "82", first_name: "Dana", auth_date })),
    });
    expect(login.statusCode).toBe(200);
    expect(login.headers["set-cookie"]?.join()).toMatch(/^__Host-session=.*; Secure/);

    const statuses: unknown[] = [];
    for (let i = 0; i <= REQUESTS_PER_MINUTE; i += 1)
      statuses.push(
        (await ask("GET", "/readyz", { headers: { "X-Forwarded-For": `203.0.113.${i}` } })).statusCode,
      );
    expect(statuses[0]).not.toBe(429);
    expect(statuses.at(-1)).toBe(429);
  });

  it("lets the methods of WebDAV through", async () => {
    const dav = (method: string, path: string, headers: OutgoingHttpHeaders = {}, body = "") =>
      ask(method, `/dav${path}`, { headers: { ...authorization, ...headers }, body });
    expect((await dav("MKCOL", "/folder")).statusCode).toBe(201);
    expect((await dav("PUT", "/folder/a.txt", {}, "text")).statusCode).toBe(201);
    const moved = await dav("MOVE", "/folder/a.txt", { Destination: `https://${HOST}/dav/folder/b.txt` });
    expect(moved.statusCode).toBe(201);
    const listed = await dav("PROPFIND", "/folder", { Depth: "1" });
    expect(listed.statusCode).toBe(207);
    expect(await readText(listed)).toContain("/dav/folder/b.txt");
    const locked = await dav("LOCK", "/folder/b.txt", { "Content-Type": "application/xml" }, LOCK_INFO);
    expect(locked.statusCode).toBe(200);
    const lockToken = String(locked.headers["lock-token"]);
    expect((await dav("UNLOCK", "/folder/b.txt", { "Lock-Token": lockToken })).statusCode).toBe(204);
  });
});

const LOCK_INFO = `<?xml version="1.0"?><D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>`;
