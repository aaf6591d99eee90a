import { describe, expect, it } from "vitest";
import { codeRunResult, decodeOutput } from "#domain/code-runs/code-run.ts";
import { codeRunOrder } from "#domain/code-runs/code-run-schema.ts";
import { checkBySchema } from "#domain/schema.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("an order to run code", () => {
  it("has the usual limits where none are given", () => {
    expect(checkBySchema(codeRunOrder, { code: "1" })).toEqual({
      code: "1",
      timeout: 5,
      memory_limit_mb: 128,
      stdin: "",
      args: [],
    });
  });

  it.each([
    ["an input of 64 KiB", { stdin: "ש".repeat(32_768) }, {}],
    ["a longer input", { stdin: "ש".repeat(32_769) }, { refused: "payload_too_large" }],
    ["an input that is no text", { stdin: 5 }, { refused: "invalid_payload", context: { field: "stdin" } }],
    ["twenty arguments", { args: Array(20).fill("a") }, {}],
    ["twenty-one arguments", { args: Array(21).fill("a") }, { refused: "invalid_payload" }],
    ["a number as an argument", { args: [5] }, { refused: "invalid_payload" }],
    ["an argument of a book", { args: ["a".repeat(4_097)] }, { refused: "invalid_payload" }],
    ["a NUL and half a surrogate pair anywhere", { stdin: "\0\ud800", args: ["\0\ud800"] }, {}],
  ])("with %s is taken or refused", (_, given, expected) => {
    expect(checkBySchema(codeRunOrder, { code: "1", ...given })).toMatchObject(expected);
  });

  it.each([
    [
      { timeout: -1, memory_limit_mb: 0 },
      { timeout: 0.1, memory_limit_mb: 16 },
    ],
    [
      { timeout: 2.5, memory_limit_mb: 100 },
      { timeout: 2.5, memory_limit_mb: 100 },
    ],
    [
      { timeout: 1e9, memory_limit_mb: 1e9 },
      { timeout: 30, memory_limit_mb: 256 },
    ],
  ])("of %o gets %o", (given, applied) => {
    expect(checkBySchema(codeRunOrder, { code: "1", ...given })).toMatchObject(applied);
  });

  it("has at most 51,200 bytes of code, however many characters that is", () => {
    expect(checkBySchema(codeRunOrder, { code: "a".repeat(51_200) })).toMatchObject({ timeout: 5 });
    expect(checkBySchema(codeRunOrder, { code: "ש".repeat(25_600) })).toMatchObject({ timeout: 5 });
    expect(checkBySchema(codeRunOrder, { code: "ש".repeat(25_601) })).toMatchObject({
      refused: "payload_too_large",
    });
  });
});

describe("the output of a program", () => {
  it.each([
    ["a letter of two bytes", "aש", 2, "a"],
    ["a sign of three bytes", "a€", 3, "a"],
    ["a picture of four bytes", "a😀", 4, "a"],
    ["nothing at all", "😀", 4, "😀"],
  ])("is cut before %s that did not fit", (_, text, kept, shown) => {
    expect(decodeOutput(bytes(text).subarray(0, kept), true)).toBe(shown);
  });

  it("keeps what was not cut, broken or not", () => {
    expect(decodeOutput(bytes("aש").subarray(0, 2), false)).toBe("a\ufffd");
    expect(decodeOutput(new Uint8Array(0), true)).toBe("");
    expect(decodeOutput(Uint8Array.of(0x80, 0x80, 0x80, 0x80, 0x80), true)).toMatch(/^\ufffd+$/);
  });
});

describe("the ending of a program", () => {
  const order = { timeout: 2.5, memory_limit_mb: 64 };
  const output = { stdout: "o", stderr: "e", truncated: true, ms: 12.6, grownBytes: 1_048_577 };

  it.each([
    [{ exit: 0 }, { success: true, exit_code: 0, error: null }],
    [{ exit: 3 }, { success: false, exit_code: 3, error: null }],
    ["timed_out", { success: false, exit_code: 124, error: "Timed out after 2.5 s" }],
    ["out_of_memory", { success: false, exit_code: 137, error: "Memory limit of 64 MB exceeded" }],
    ["crashed", { success: false, exit_code: 139, error: "The program's process stopped unexpectedly" }],
  ] as const)("%o is told", (ending, told) => {
    expect(codeRunResult(order, ending, output)).toEqual({
      stdout: "o",
      stderr: "e",
      truncated: true,
      execution_time_ms: 13,
      memory_used_mb: 2,
      limits_applied: order,
      ...told,
    });
  });
});
