import { describe, expect, it } from "vitest";
import { TOOL_CODE_MAX_BYTES, TOOL_LANGUAGES } from "#domain/code-runs/code-tool.ts";
import { toolRequest } from "#domain/code-runs/code-tool-schema.ts";
import { checkBySchema } from "#domain/schema.ts";

describe("what a tool may be asked", () => {
  it("is some code in a language that has a tool", () => {
    expect(checkBySchema(toolRequest, { code: "x=1", language: "python" })).toEqual({
      code: "x=1",
      language: "python",
    });
  });

  it("takes another name of the language for it", () => {
    expect(checkBySchema(toolRequest, { code: "x", language: "sh" })).toMatchObject({ language: "bash" });
  });

  it.each([{ language: "python" }, { code: " \n", language: "python" }])("needs code, unlike %j", (given) => {
    expect(checkBySchema(toolRequest, given)).toMatchObject({ refused: "missing_code" });
  });

  it("says which languages have a tool where the named one has none", () => {
    expect(checkBySchema(toolRequest, { code: "x", language: "rust" })).toMatchObject({
      refused: "no_tool",
      context: { language: "rust", supported: TOOL_LANGUAGES },
    });
  });

  it("takes code up to its greatest size in bytes", () => {
    const most = "é".repeat(TOOL_CODE_MAX_BYTES / 2);

    expect(checkBySchema(toolRequest, { code: most, language: "python" })).toMatchObject({ code: most });
    expect(checkBySchema(toolRequest, { code: `${most}x`, language: "python" })).toMatchObject({
      refused: "payload_too_large",
      context: { max: TOOL_CODE_MAX_BYTES },
    });
  });

  it.each([null, "x", []])("is an object, not %j", (given) => {
    expect(checkBySchema(toolRequest, given)).toMatchObject({ refused: "invalid_payload" });
  });
});
