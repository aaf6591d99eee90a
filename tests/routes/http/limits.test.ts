import { describe, expect, it } from "vitest";
import { required } from "#domain/required.ts";
import { sendBytes, sendRaw } from "#tests/support/raw-requests.ts";
import { NOON } from "#tests/support/store.ts";
import { openTestWeb } from "#tests/support/web.ts";

const web = await openTestWeb({
  RATE_LIMIT_REQUESTS_PER_MINUTE: "12",
  RATE_LIMIT_WRITES_PER_MINUTE: "3",
  TRUST_PROXY: "1",
});
const from = (address: string) => ({ headers: { "X-Forwarded-For": address } });

async function expectLimited(response: Response, retryAfter: number) {
  expect(response.status).toBe(429);
  expect(response.headers.get("Retry-After")).toBe(String(retryAfter));
  expect(await response.json()).toMatchObject({ error: "rate_limit_exceeded", retry_after: retryAfter });
}

describe("the rate limit", () => {
  it("counts by address before login, says when to come back, and lets in again then", async () => {
    const visitor = web.visitor();
    const ask = (address: string) => visitor.ask("/api/me", from(address));
    for (let i = 0; i < 12; i += 1) expect((await ask("10.0.0.1")).status).toBe(200);
    web.clock.pass(20_000);
    await expectLimited(await ask("10.0.0.1"), 40);
    expect((await ask("10.0.0.2")).status).toBe(200);
    web.clock.pass(40_000);
    expect((await ask("10.0.0.1")).status).toBe(200);
    web.clock.set(NOON);
  });

  it("gives no second limit for a made-up token beside the cookie, nor a third by address", async () => {
    const dana = await web.person();
    const ask = (authorization: string, address: string) =>
      dana.ask("/api/me", { headers: { Authorization: authorization, "X-Forwarded-For": address } });
    for (let i = 0; i < 12; i += 1)
      expect((await ask(`Bearer cs_${"x".repeat(43)}${i}`, `10.0.8.${i}`)).status).toBe(200);
    expect((await ask("Bearer other", "10.0.8.99")).status).toBe(429);
    await expectLimited(await dana.ask("/api/me", from("10.0.8.100")), 60);
    web.clock.pass(60_000);
  });

  it("counts by person after login, whatever the address, and treats nobody as logged out", async () => {
    const [dana, noam] = [await web.person("40"), await web.person("41")];
    for (let i = 0; i < 12; i += 1) await dana.ask("/api/me", from(`10.0.1.${i}`));
    await expectLimited(await dana.ask("/api/me", from("10.0.1.99")), 60);
    const page = await dana.page("/files", from("10.0.1.99"));
    expect(page.status).toBe(429);
    expect(page.headers.get("X-Reader")).toBeNull();
    expect(await page.text()).not.toContain('href="/login');
    expect((await noam.ask("/api/me", from("10.0.1.1"))).status).toBe(200);
  });

  it.each([
    ["/api/files/bulk-tag", "success"],
    ["/api/note-boards", "ok"],
  ])(
    "refuses %s with the flag of that route, as a body that is far too large is refused before it is sent",
    async (path, flag) => {
      const max = 32 * 1024 * 1024;
      const headers = { "Content-Length": max + 1024 * 1024, "X-Forwarded-For": "10.0.7.2" };
      const large = await sendRaw(web.url, { method: "POST", path, headers, body: null });
      expect(large.status).toBe(413);
      expect(JSON.parse(large.body)).toMatchObject({ [flag]: false, error: "payload_too_large", max });
      const visitor = web.visitor();
      for (let i = 0; i < 12; i += 1) await visitor.ask("/api/me", from("10.0.7.3"));
      const limited = await visitor.ask(path, { method: "POST", body: "{}", ...from("10.0.7.3") });
      expect(await limited.clone().json()).toMatchObject({ [flag]: false });
      await expectLimited(limited, 60);
    },
  );

  it("shows a person a page", async () => {
    const visitor = web.visitor();
    for (let i = 0; i < 12; i += 1) await visitor.ask("/api/me", from("10.0.3.1"));
    const response = await visitor.page("/", from("10.0.3.1"));
    expect(response.status).toBe(429);
    const html = await response.text();
    expect(html).toContain("Too many requests");
    expect(html).toContain(`Try again in ${response.headers.get("Retry-After")} s.`);
  });
});

describe("an invalid request", () => {
  const sent = async (bytes: string) => {
    const [head, body] = (await sendBytes(web.url, bytes)).split("\r\n\r\n");
    return [required(head).split("\r\n")[0], JSON.parse(required(body)).error];
  };

  it.each([
    ["no HTTP", "hello\r\n\r\n", "HTTP/1.1 400 Bad Request", "unreadable_request"],
    [
      "a header without a name",
      "GET / HTTP/1.1\r\n: x\r\n\r\n",
      "HTTP/1.1 400 Bad Request",
      "unreadable_request",
    ],
    [
      "an endless address",
      `GET /${"x".repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      "HTTP/1.1 431 Request Header Fields Too Large",
      "headers_too_large",
    ],
  ])("is refused in JSON: %s", async (_, bytes, line, error) => {
    expect(await sent(bytes)).toEqual([line, error]);
  });
});
