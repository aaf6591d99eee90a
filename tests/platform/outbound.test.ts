import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, it } from "vitest";
import { createOutbound, isOutboundUrl } from "#platform/outbound/outbound.ts";
import { isPublicAddress } from "#platform/outbound/public-address.ts";
import { retryAfterMs } from "#platform/outbound/web-push.ts";
import { NOON } from "#tests/support/store.ts";

it.each([
  ...["1.1.1.1", "8.8.8.8", "172.32.0.1", "192.169.0.1", "100.128.0.1", "2606:4700::1111"],
  "2a00:1450::1",
])("the address %s is public", (address) => expect(isPublicAddress(address)).toBe(true));

describe("a URL that a user names", () => {
  it.each(["https://push.example.com/a", "https://1.1.1.1/", "https://[2606:4700::1111]:8443/x"])(
    "%s may be asked",
    (url) => expect(isOutboundUrl(url, { allowLoopback: false })).toBe(true),
  );

  it("on this very machine may be asked by tests alone, in plain http, by its number", () => {
    const lenient = { allowLoopback: true };
    expect(isOutboundUrl("http://127.0.0.1:8080/x", lenient)).toBe(true);
    for (const url of ["http://localhost:8080/", "http://127.0.0.2/", "http://[::1]/", "https://127.0.0.1/"])
      expect(isOutboundUrl(url, lenient)).toBe(false);
  });
});

describe("asking", async () => {
  const server = createServer((request, response) => {
    if (request.url === "/long") response.end("x".repeat(100_000));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const local = createOutbound({ allowLoopback: true });
  afterAll(() => {
    local.close();
    server.closeAllConnections();
    server.close();
  });
  const ask = (url: string, outbound = local, timeoutMs = 5_000) =>
    outbound.ask({ url, method: "GET", headers: {}, timeoutMs, maxAnswerBytes: 1_000 });

  it("waits no longer than allowed, and reads no more than allowed", async () => {
    await expect(ask(`http://127.0.0.1:${port}/hang`, local, 50)).rejects.toMatchObject({
      name: "AbortError",
    });
    await expect(ask(`http://127.0.0.1:${port}/long`)).rejects.toMatchObject({ code: "answer_too_long" });
  });

  it("judges a name by its address at each connection", async () => {
    const lookups: string[] = [];
    const rebinding = createOutbound({ allowLoopback: false }, (hostname, _, answer) => {
      lookups.push(hostname);
      const address = lookups.length === 1 ? "10.0.0.1" : "127.0.0.1";
      answer(null, [
        { address, family: 4 },
        { address: "::ffff:127.0.0.1", family: 6 },
      ]);
    });
    const name = "https://push.example.com/";
    expect(isOutboundUrl(name, { allowLoopback: false })).toBe(true);

    for (let i = 0; i < 2; i += 1)
      await expect(ask(name, rebinding)).rejects.toMatchObject({ code: "address_refused" });

    expect(lookups).toEqual(["push.example.com", "push.example.com"]);
  });
});

it.each([
  ["120", 120_000],
  [" 0 ", 0],
  ["Sat, 14 Nov 2037 12:00:30 GMT", 30_000],
  ["Sat, 14 Nov 2037 11:00:00 GMT", 0],
  ["soon", null],
  ["-5", null],
  ["1e9", null],
  [undefined, null],
])("Retry-After: %s is %s ms", (header, ms) => expect(retryAfterMs(header, NOON)).toBe(ms));
