import { describe, expect, it } from "vitest";
import { isRefusal, REASONS, Refusal, refusalBody, refusalStatus } from "#domain/refusal.ts";

describe("a refusal", () => {
  it("goes to the wire with its words, its code and its context", () => {
    const refusal = Refusal("file_not_found", { file_id: "7" });
    expect(refusalStatus(refusal)).toBe(404);
    expect(refusalBody(refusal)).toEqual({ error: "File not found", code: "file_not_found", file_id: "7" });
  });

  it("explains itself where its words are a code", () => {
    expect(refusalBody(Refusal("invalid_cursor"))).toMatchObject({
      error: "invalid_cursor",
      code: "invalid_cursor",
      message: expect.any(String),
    });
  });

  it("has a client or server error status for every reason", () => {
    expect(Object.values(REASONS).filter(({ status }) => status < 400 || status > 599)).toEqual([]);
  });

  it("is told from ordinary values", () => {
    expect([null, undefined, "x", {}, [], { refused: 1 }].map(isRefusal)).toEqual(Array(6).fill(false));
    expect(isRefusal(structuredClone(Refusal("internal")))).toBe(true);
  });
});
