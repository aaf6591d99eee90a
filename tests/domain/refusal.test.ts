import { describe, expect, it } from "vitest";
import { isRefusal, REASONS, Refusal, refusalBody, refusalStatus } from "#domain/refusal.ts";

describe("the message about a parameter", () => {
  it.each([
    [
      Refusal("invalid_query", { field: "in", allowed: ["a", "b"] }),
      "The parameter “in” must be one of: a, b.",
    ],
    [
      Refusal("invalid_limit", { field: "limit", min: 1, max: 50 }),
      "The parameter “limit” must be a whole number from 1 to 50.",
    ],
    [Refusal("invalid_query", { field: "url" }), "The parameter “url” is not valid."],
    [Refusal("version_not_found"), "The file has no such version."],
  ])("says which one and what it may be", (refusal, message) => {
    expect(refusalBody(refusal).message).toBe(message);
  });
});

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
