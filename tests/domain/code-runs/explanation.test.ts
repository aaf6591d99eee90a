import { describe, expect, it } from "vitest";
import { checkExplain, EXPLAIN_MAX_BYTES, QUESTION_MAX } from "#domain/code-runs/explanation.ts";

describe("what may be explained", () => {
  it("is code before context, with its language and a question where they say something", () => {
    expect(checkExplain({ code: "c", context: "d", language: " python ", question: " why? " })).toEqual({
      text: "c",
      language: "python",
      question: "why?",
    });
    expect(checkExplain({ code: " ", context: "d", language: " ", question: "" })).toEqual({
      text: "d",
      language: null,
      question: null,
    });
  });

  it.each([{}, { code: "" }, { code: " ", context: "\n" }])("is not %j", (given) => {
    expect(checkExplain(given)).toMatchObject({ refused: "missing_context" });
  });

  it("has a greatest size in bytes", () => {
    const most = "é".repeat(EXPLAIN_MAX_BYTES / 2);

    expect(checkExplain({ code: most })).toMatchObject({ text: most });
    expect(checkExplain({ code: `${most}x` })).toMatchObject({ refused: "payload_too_large" });
  });

  it("has a question of a greatest length in characters", () => {
    const most = "🐸".repeat(QUESTION_MAX);

    expect(checkExplain({ code: "x", question: most })).toMatchObject({ question: most });
    expect(checkExplain({ code: "x", question: `${most}?` })).toMatchObject({
      refused: "invalid_payload",
      context: { field: "question" },
    });
  });
});
