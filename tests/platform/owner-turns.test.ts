import { describe, expect, it } from "vitest";
import { OwnerTurns } from "#platform/threads/owner-turns.ts";

function openTurns({ isBusy = true } = {}) {
  let nowMs = 1_000;
  let busy = isBusy;
  const turns = new OwnerTurns(
    () => busy,
    () => nowMs,
  );
  return { turns, pass: (ms: number) => (nowMs += ms), setBusy: (is: boolean) => (busy = is) };
}

describe("the next turn of an owner", () => {
  it("comes at once for an owner who used little or nothing", () => {
    const { turns } = openTurns();
    expect(turns.waitMs("a")).toBe(0);
    turns.recordUse("a", 40);
    expect(turns.waitMs("a")).toBe(0);
  });

  it("comes later the more processor time the owner's previous texts took", () => {
    const { turns } = openTurns();
    turns.recordUse("a", 50);
    const short = turns.waitMs("a");
    turns.recordUse("a", 50);
    expect(short).toBeGreaterThan(0);
    expect(turns.waitMs("a")).toBe(short + 50 * 24);
    expect(turns.waitMs("b")).toBe(0);
  });

  it("comes nearer with time, as past use is forgotten", () => {
    const { turns, pass } = openTurns();
    turns.recordUse("a", 100);
    const waitMs = turns.waitMs("a");
    pass(waitMs - 1);
    expect(turns.waitMs("a")).toBe(1);
    pass(60_000);
    turns.recordUse("a", 40);
    expect(turns.waitMs("a")).toBe(0);
  });

  it("is never further away than five seconds", () => {
    const { turns } = openTurns();
    for (let i = 0; i < 100; i += 1) turns.recordUse("a", 3_000);
    expect(turns.waitMs("a")).toBe(5_000);
  });

  it("comes at once while nobody else has to wait", () => {
    const { turns, setBusy } = openTurns({ isBusy: false });
    turns.recordUse("a", 3_000);
    expect(turns.waitMs("a")).toBe(0);
    setBusy(true);
    expect(turns.waitMs("a")).toBeGreaterThan(0);
  });

  it("is remembered for owners who still wait, however many others there were", () => {
    const { turns, pass } = openTurns();
    turns.recordUse("a", 3_000);
    const waitMs = turns.waitMs("a");
    for (let i = 0; i < 2_000; i += 1) turns.recordUse(`other ${i}`, 1);
    pass(1_000);
    turns.recordUse("one more", 1);
    expect(turns.waitMs("a")).toBe(waitMs - 1_000);
  });
});
