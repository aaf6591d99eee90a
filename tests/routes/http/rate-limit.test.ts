import type { Request } from "express";
import { describe, expect, it } from "vitest";
import { toClientNetwork } from "#app/web/door/client-network.ts";
import { createRateCounter, createRateLimiter } from "#app/web/door/rate-limit.ts";
import type { RoutePolicy } from "#app/web/door/route-policy.ts";

function givenClock() {
  let nowMs = Date.UTC(2026, 10, 14, 12);
  return {
    clock: () => new Date(nowMs),
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

describe("turns in a minute", () => {
  it("are as many as the limit, and the next waits until the minute is over", () => {
    const { clock, pass } = givenClock();
    const counter = createRateCounter(clock);
    const take = () => counter.wait("dana", 2);

    expect([take(), take(), take()]).toEqual([null, null, 60]);
    pass(58_999);
    expect(take()).toBe(2);
    pass(1_000);
    expect(take()).toBe(1);
    pass(1);
    expect([take(), take(), take()]).toEqual([null, null, 60]);
  });

  it("are available again if the clock was set back", () => {
    const { clock, pass } = givenClock();
    const counter = createRateCounter(clock);
    expect([counter.wait("dana", 1), counter.wait("dana", 1)]).toEqual([null, 60]);
    pass(-1);
    expect(counter.wait("dana", 1)).toBeNull();
  });
});

describe("a request", () => {
  const LIMITS = { requestsPerMinute: 3, writesPerMinute: 1 };

  function listPassed(
    requests: [method: string, path: string, more?: { ip?: string; user?: string | null }][],
    policy: RoutePolicy = {},
    limits = LIMITS,
  ): boolean[] {
    const limiter = createRateLimiter(limits, createRateCounter(givenClock().clock));
    return requests.map(([method, path, { ip = "192.0.2.1", user = "dana" } = {}]) => {
      const request = { method, path, ip } as Request;
      return limiter(request, user, policy) === null;
    });
  }

  it("counts for its network if nobody is logged in", () => {
    const get = (ip: string): [string, string, object] => ["GET", "/login", { ip, user: null }];
    const passed = listPassed([
      get("2001:db8::1"),
      get("2001:db8::2"),
      get("2001:db8::3"),
      get("2001:db8::4"),
      get("2001:db8:0:1::1"),
    ]);
    expect(passed).toEqual([true, true, true, false, true]);
  });

  it("that writes counts with others of its kind, whatever they write to", () => {
    const limits = { requestsPerMinute: 100, writesPerMinute: 1 };
    const rows: [string, string, boolean][] = [
      ["POST", "/note/5f0000000000000000000001", true],
      ["POST", "/note/5f0000000000000000000002", false],
      ["POST", "/boards", true],
      ["PUT", "/api/files/one", true],
      ["PUT", "/api/files/two", true],
      ["DELETE", "/api/files/one", true],
      ["DELETE", "/api/files/two", false],
      ...["GET", "HEAD", "OPTIONS"].flatMap((method): [string, string, boolean][] => [
        [method, "/boards", true],
        [method, "/boards", true],
      ]),
    ];
    const passed = listPassed(
      rows.map(([method, path]) => [method, path]),
      {},
      limits,
    );
    expect(passed).toEqual(rows.map(([, , mayPass]) => mayPass));
  });

  it("to a route that counts its own writes counts only as a request", () => {
    const writes: [string, string][] = [
      ["POST", "/api/search"],
      ["POST", "/api/search"],
      ["POST", "/api/search"],
      ["POST", "/api/search"],
    ];
    expect(listPassed(writes)).toEqual([true, false, false, false]);
    expect(listPassed(writes, { rateClass: "counts-own-writes" })).toEqual([true, true, true, false]);
  });

  it("of a file client has twenty times the requests and the writes, apart from pages, and saves count as files alone", () => {
    const policy: RoutePolicy = { rateClass: "file-client" };
    const times = (count: number, method: string): [string, string][] =>
      Array.from({ length: count }, () => [method, "/dav/a"]);
    const countPassed = (passed: boolean[]) => passed.filter(Boolean).length;
    const limits = { requestsPerMinute: 10, writesPerMinute: 2 };

    expect(countPassed(listPassed(times(210, "PROPFIND"), policy, limits))).toBe(200);
    expect(countPassed(listPassed(times(210, "GET"), policy, limits))).toBe(200);
    expect(countPassed(listPassed(times(50, "MKCOL"), policy, limits))).toBe(40);
    expect(countPassed(listPassed(times(210, "PUT"), policy, limits))).toBe(200);
    const strangers = times(20, "PROPFIND").map((row): [string, string, object] => [...row, { user: null }]);
    expect(countPassed(listPassed(strangers, policy, limits))).toBe(10);
  });
});

it.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["::FFFF:c000:207", "192.0.2.7"],
  ["0:0:0:0:0:ffff:c000:0207", "192.0.2.7"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["2001:DB8:0:0:ffff:1:2:3", "2001:db8:0:0::/64"],
  ["2001:db8:0:1::1", "2001:db8:0:1::/64"],
  ["2001:db8:a:b:c:d:1.2.3.4", "2001:db8:a:b::/64"],
  ["::1", "0:0:0:0::/64"],
  ["1::", "1:0:0:0::/64"],
  ["::", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["2001:0:0:1:0:0:0:1", "2001:0:0:1::/64"],
  ["2001::1:0:0:0:1", "2001:0:0:1::/64"],
  ["no address", "no address"],
])("the caller at %s counts as %s", (address, network) => expect(toClientNetwork(address)).toBe(network));
