import { describe, expect, it } from "vitest";
import { z } from "zod";
import { isRefusal, REASONS, Refusal, refusalBody, refusalStatus } from "#domain/refusal.ts";
import { checkBySchema, cutList, toRefusalText, withRule } from "#domain/schema.ts";

describe("a value that does not fit its schema", () => {
  it("is refused with the code and the context of its first issue", () => {
    const schema = z.object({ title: z.string(toRefusalText("title_too_long", { max: 5 })) });
    expect(checkBySchema(schema, { title: "fits" })).toEqual({ title: "fits" });
    expect(checkBySchema(schema, { title: 1 })).toEqual(Refusal("title_too_long", { max: 5 }));
  });

  it("is an invalid payload, told with its field, where the issue names no code", () => {
    const schema = z.object({ inner: z.object({ n: z.number("must be a number") }) });
    expect(checkBySchema(schema, { inner: { n: "1" } })).toEqual(
      Refusal("invalid_payload", { message: "The field “inner.n” must be a number.", field: "inner.n" }),
    );
  });

  it.each([
    [{ days: 0 }, "The field “days” must be 1 or more."],
    [{ days: 9 }, "The field “days” must be 7 or less."],
    [{ days: "1" }, "The field “days” must be a number."],
    [{}, "The field “days” is missing."],
    [{ days: 1, kind: "c" }, "The field “kind” must be one of: a, b."],
    [{ days: 1, lines: "1" }, "There is no field “lines” here."],
    [[], "The value must be an object."],
  ])("is told in a plain sentence: %j", (value, message) => {
    const schema = z.strictObject({ days: z.number().min(1).max(7), kind: z.enum(["a", "b"]).optional() });
    expect(checkBySchema(schema, { days: 1, kind: "a" })).toEqual({ days: 1, kind: "a" });
    expect(checkBySchema(schema, value)).toMatchObject({ refused: "invalid_payload", context: { message } });
  });

  it("cannot choose its refusal by the words it is made of", () => {
    const schema = z.strictObject({});
    expect(checkBySchema(schema, { 'not_found {"a":1}': 1 })).toMatchObject({ refused: "invalid_payload" });
  });
});

describe("a rule behind a schema", () => {
  const even = withRule(z.number(), (n) => (n % 2 === 0 ? n / 2 : Refusal("invalid_minutes", { n })));

  it("keeps what it makes of the value, or refuses it", () => {
    expect(checkBySchema(even, 8)).toBe(4);
    expect(checkBySchema(even, 3)).toEqual(Refusal("invalid_minutes", { n: 3 }));
  });
});

it("a long list is cut after one element too many, and after the first invalid one", () => {
  const isText = (value: unknown) => typeof value === "string";
  const cut = cutList("ids", { max: 3, fits: isText });
  expect(cut({ ids: ["a", "b"], other: 1 })).toEqual({ ids: ["a", "b"], other: 1 });
  expect(cut({ ids: Array(1_000_000).fill("a") })).toEqual({ ids: ["a", "a", "a", "a"] });
  expect(cut({ ids: ["a", 0, "b"] })).toEqual({ ids: ["a", 0] });
});

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
])("the message about a parameter names it and its allowed values", (refusal, message) => {
  expect(refusalBody(refusal).message).toBe(message);
});

describe("a refusal", () => {
  it("goes to the wire with its words, its code and its context", () => {
    const refusal = Refusal("file_not_found", { file_id: "7" });
    expect(refusalStatus(refusal)).toBe(404);
    expect(refusalBody(refusal)).toEqual({ error: "File not found", code: "file_not_found", file_id: "7" });
  });

  it("repeats no more of what was sent than a note may have", () => {
    const refusal = Refusal("file_not_found", { file_id: "7".repeat(900_000) });
    expect(JSON.stringify(refusalBody(refusal)).length).toBeLessThan(30_000);
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
