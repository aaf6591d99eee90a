import { once } from "node:events";
import type { AddressInfo } from "node:net";
import express from "express";
import { afterAll, describe, expect, it, vi } from "vitest";
import { recordAndAwaitTurn, type Visitors, watchVisitors } from "#app/web/door/visitors.ts";

describe("the process is busy for others", () => {
  function watch(utilization: number) {
    vi.useFakeTimers();
    let nowMs = 0;
    const visitors = watchVisitors({ now: () => nowMs, readUtilization: () => utilization });
    vi.advanceTimersByTime(1_000);
    vi.useRealTimers();
    return { visitors, pass: (ms: number) => (nowMs += ms) };
  }

  it("when somebody else asked a moment ago and the event loop works most of the time", () => {
    const { visitors } = watch(0.8);
    visitors.note("a");
    expect(visitors.isBusyFor("a")).toBe(false);
    visitors.note("b");
    visitors.note("a");
    visitors.note("a");
    expect(visitors.isBusyFor("a")).toBe(true);
    expect(visitors.isBusyFor("c")).toBe(true);
  });

  it("no longer after a while", () => {
    const { visitors, pass } = watch(0.8);
    visitors.note("b");
    pass(1_500);
    visitors.note("a");
    expect(visitors.isBusyFor("a")).toBe(false);
    expect(visitors.isBusyFor("b")).toBe(true);
  });

  it("never while it has time left", () => {
    const { visitors } = watch(0.3);
    visitors.note("a");
    visitors.note("b");
    expect(visitors.isBusyFor("a")).toBe(false);
  });

  it("by what the event loop really does", async () => {
    const visitors = watchVisitors();
    do {
      const workUntil = performance.now() + 20;
      while (performance.now() < workUntil);
      await new Promise((resolve) => setImmediate(resolve));
      visitors.note("b");
    } while (!visitors.isBusyFor("a"));
  });
});

describe("a request", () => {
  const waited: string[] = [];
  const noted: string[] = [];
  const visitors = { note: (who) => void noted.push(who), isBusyFor: () => true } satisfies Visitors;
  const threads = { awaitTurn: async (owner: string) => void waited.push(owner) };
  const app = express();
  app.use((req, res, next) => {
    res.locals.context = { claimedUserId: req.get("X-Person") ?? null } as typeof res.locals.context;
    next();
  });
  app.use(recordAndAwaitTurn({ visitors, threads }));
  app.use((req, res) => void req.resume().once("end", () => res.end("done")));
  const server = app.listen(0, "127.0.0.1");
  afterAll(() => void server.close());

  async function send(body: BodyInit | undefined, person?: string): Promise<void> {
    if (!server.listening) await once(server, "listening");
    waited.length = 0;
    noted.length = 0;
    const init: RequestInit & { duplex: "half" } = {
      method: body === undefined ? "GET" : "POST",
      duplex: "half",
      headers: person ? { "X-Person": person } : {},
      ...(body === undefined ? {} : { body }),
    };
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, init);
    expect(await answer.text()).toBe("done");
  }

  it("with a long text waits for its sender's turn", async () => {
    await send("x".repeat(70_000), "7");
    expect(waited).toEqual(["7"]);
    expect(noted).toEqual(["7"]);
  });

  it("with a text of unknown length waits, too", async () => {
    await send(new Blob(["short"]).stream(), "7");
    expect(waited).toEqual(["7"]);
  });

  it("with a short text, or none, does not wait", async () => {
    await send("x".repeat(60_000), "7");
    await send(undefined, "7");
    expect(waited).toEqual([]);
  });

  it("of a stranger is counted by its network and does not wait", async () => {
    await send("x".repeat(70_000));
    expect(waited).toEqual([]);
    expect(noted).toEqual(["address 127.0.0.1"]);
  });
});
