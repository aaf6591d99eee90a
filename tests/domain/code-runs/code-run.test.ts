import { describe, expect, it } from "vitest";
import {
  codeRunResult,
  createLoneProgram,
  decodeOutput,
  isRunnable,
  lacksInput,
  listMissedFiles,
  stopReason,
  toRunStatus,
} from "#domain/code-runs/code-run.ts";
import { codeRunRequest } from "#domain/code-runs/code-run-schema.ts";
import { TOOL_CODE_MAX_BYTES, TOOL_LANGUAGES } from "#domain/code-runs/code-tool.ts";
import { toolRequest } from "#domain/code-runs/code-tool-schema.ts";
import { splitAtPlaces } from "#domain/code-runs/error-places.ts";
import { checkExplainRequest, EXPLAIN_MAX_BYTES, QUESTION_MAX } from "#domain/code-runs/explanation.ts";
import { splitArguments } from "#domain/code-runs/run-arguments.ts";
import { parseRunEvents } from "#domain/code-runs/run-events.ts";
import { chooseRunFiles, parseWrittenFile, RUN_FILE_LIMITS } from "#domain/code-runs/run-files.ts";
import { joinChunks, toShownOutput } from "#domain/code-runs/run-output.ts";
import { computeRunResultExpiry } from "#domain/code-runs/run-result.ts";
import { Refusal } from "#domain/refusal.ts";
import { checkBySchema } from "#domain/schema.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("an order to run code", () => {
  it("has the usual limits where none are given", () => {
    const usual = { language: "python", timeout: 5, memory_limit_mb: 128, stdin: "", args: [], keep: false };
    expect(checkBySchema(codeRunRequest, { code: "1" })).toEqual({ code: "1", ...usual });
  });

  it("ignores a field that it does not have, unless that is meant as the language", () => {
    expect(checkBySchema(codeRunRequest, { code: "1", note: "mine" })).toEqual(
      checkBySchema(codeRunRequest, { code: "1" }),
    );
    const message = "There is no field “lang” here. Send the name of the language as “language”.";
    expect(checkBySchema(codeRunRequest, { code: "1", lang: "javascript" })).toEqual(
      Refusal("invalid_payload", { field: "lang", message }),
    );
  });

  it.each([
    ["an input of 64 KiB", { stdin: "ש".repeat(32_768) }, {}],
    ["code of 51,200 bytes", { code: "ש".repeat(25_600) }, {}],
    ["code of a byte more", { code: "a".repeat(51_201) }, { refused: "payload_too_large" }],
    ["an input of a byte more", { stdin: "a".repeat(65_537) }, { refused: "payload_too_large" }],
    ["a longer input", { stdin: "ש".repeat(32_769) }, { refused: "payload_too_large" }],
    ["an input that is no text", { stdin: 5 }, { refused: "invalid_payload", context: { field: "stdin" } }],
    ["twenty arguments", { args: Array(20).fill("a") }, {}],
    ["twenty-one arguments", { args: Array(21).fill("a") }, { refused: "invalid_payload" }],
    ["a number as an argument", { args: [5] }, { refused: "invalid_payload" }],
    ["an argument of a book", { args: ["a".repeat(4_097)] }, { refused: "invalid_payload" }],
    ["a name", { file_name: "x.py" }, { file_name: "x.py" }],
    ["a path as its name", { file_name: "a/x.py" }, { refused: "invalid_file_name" }],
    ["a NUL and half a surrogate pair anywhere", { stdin: "\0\ud800", args: ["\0\ud800"] }, {}],
  ])("with %s is taken or refused", (_, input, expected) => {
    expect(checkBySchema(codeRunRequest, { code: "1", ...input })).toMatchObject(expected);
  });

  it.each([
    [-1, 0, 0.1, 16],
    [2.5, 100, 2.5, 100],
    [1e9, 1e9, 30, 256],
  ])("of %d seconds and %d MB gets %d and %d", (seconds, megabytes, timeout, memory_limit_mb) => {
    const request = { code: "1", timeout: seconds, memory_limit_mb: megabytes };
    expect(checkBySchema(codeRunRequest, request)).toMatchObject({ timeout, memory_limit_mb });
  });
});

it.each([
  ["", []],
  ["  a  b ", ["a", "b"]],
  [`--name "two words" 'and "more"'`, ["--name", "two words", 'and "more"']],
  [`--name="two words"x`, ["--name=two wordsx"]],
  [`it's`, ["it's"]],
  [`"" ''`, ["", ""]],
])("the line %o holds the arguments %o", (line, words) => {
  expect(splitArguments(line)).toEqual(words);
});

it("a run's error that names a file too large for it says so, and no other error does", () => {
  const files_left_out = ["big.txt", "data/rows.csv", "helpers.py"];
  const missed = (stderr: string) => listMissedFiles({ stderr, files_left_out });
  expect(missed("")).toEqual([]);
  expect(missed("No such file: 'data/rows.csv'")).toEqual(["data/rows.csv"]);
  expect(missed("No module named 'helpers'")).toEqual(["helpers.py"]);
  expect(listMissedFiles({ stderr: "No module named 'helpers'" })).toEqual([]);
});

describe("what is told of a run", () => {
  it("is read event by event, also where an event comes in two parts", () => {
    const sent =
      'event: queued\ndata: {"run_id":"a","ahead":2}\n\nevent: output\ndata: {"stream":"stdout","text":"\\n\\n"}\n\n';
    const { events, rest } = parseRunEvents(`${sent}event: res`);
    expect(events).toEqual([
      { event: "queued", data: { run_id: "a", ahead: 2 } },
      { event: "output", data: { stream: "stdout", text: "\n\n" } },
    ]);
    const result = { event: "result", data: {} };
    expect(parseRunEvents(`${rest}ult\ndata: {}\n\n`)).toEqual({ events: [result], rest: "" });
  });

  it("names the places in the program and in files beside it, and in no other file", () => {
    const output = [
      'Traceback:\n  File "a.py", line 4, in f',
      '  File "lib/b.py", line 9, in g',
      '  File "/lib/python314.zip/json/__init__.py", line 3, in loads',
      '  File "<string>", line 1',
    ].join("\n");
    const pieces = splitAtPlaces(output, { name: "a.py", fileId: "f1" });
    expect(pieces.map(({ text }) => text).join("")).toBe(output);
    expect(pieces.flatMap(({ text, line, address }) => (address ? [[text, line, address]] : []))).toEqual([
      ['File "a.py", line 4', 4, "#L4"],
      ['File "lib/b.py", line 9', null, "/file/f1?beside=lib%2Fb.py#L9"],
    ]);
    const lone = splitAtPlaces(output, { name: "a.py", fileId: null });
    expect(lone.flatMap(({ address }) => address ?? [])).toEqual(["#L4"]);
    expect(splitAtPlaces("", { name: "a.py", fileId: null })).toEqual([]);
  });

  it("names the places of JavaScript: of calls, and of what cannot be parsed", () => {
    const output = [
      "Uncaught Error: at 5:30 (no place) [not one]",
      "    at fail (util.js:3:9)",
      "    at Object.<anonymous> (my file.ts:7:1)",
      "    at a.js:12:5",
      "Uncaught SyntaxError: Unexpected token ';' [broken.js:2:9]",
    ].join("\n");
    const pieces = splitAtPlaces(output, { name: "a.js", fileId: "f1" });
    expect(pieces.map(({ text }) => text).join("")).toBe(output);
    expect(pieces.flatMap(({ address }) => address ?? [])).toEqual([
      "/file/f1?beside=util.js#L3",
      "/file/f1?beside=my%20file.ts#L7",
      "#L12",
      "/file/f1?beside=broken.js#L2",
    ]);
  });
});

describe("the files beside a program", () => {
  it("are given as far as they fit; the others are named", () => {
    const files = [
      { path: "a", size_bytes: RUN_FILE_LIMITS.maxBytes - 1 },
      { path: "b", size_bytes: 2 },
      { path: "c", size_bytes: 1 },
    ];
    const { chosen, leftOut } = chooseRunFiles(files);
    expect([chosen.map(({ path }) => path), leftOut]).toEqual([["a", "c"], ["b"]]);
    const many = Array.from({ length: 102 }, (_, i) => ({ path: `${i}`, size_bytes: 1 }));
    expect(chooseRunFiles(many).leftOut).toEqual(["100", "101"]);
  });

  it.each([
    ["nothing", {}],
    ["no name", { file: "", size: 1, base64: "YQ==" }],
    ["no size", { file: "a", size: "1", base64: "YQ==" }],
  ])("are not what a process reports with %s", (_, message) => {
    expect(parseWrittenFile(message, [])).toBeNull();
  });

  it.each([
    ["a text", "YQ==", 1, "a"],
    ["bytes that are no text", "/w==", 1, null],
    ["fewer bytes than it says", "YQ==", 2, null],
    ["what is no base64", "%", 1, null],
  ])("come back as text or without it: %s", (_, base64, size, text) => {
    expect(parseWrittenFile({ file: "a", size, base64 }, [])).toEqual({ path: "a", size_bytes: size, text });
  });
});

describe("the output of a program", () => {
  it("is streamed with neighbours joined, and shown with a mark for what HTML cannot hold", () => {
    const chunk = (stream: "stdout" | "stderr", text: string) => ({ stream, text });
    const chunks = [chunk("stdout", "a"), chunk("stdout", "b"), chunk("stderr", "c"), chunk("stdout", "d")];
    expect(joinChunks(chunks)).toEqual([chunk("stdout", "ab"), ...chunks.slice(2)]);
    expect(toShownOutput("a\0b\ud800")).toBe("a\ufffdb\ufffd");
  });

  it.each([
    ["a letter of two bytes", "aש", 2, "a"],
    ["a sign of three bytes", "a€", 3, "a"],
    ["a picture of four bytes", "a😀", 4, "a"],
    ["the first sign of three bytes", "a\u0800", 3, "a"],
    ["the first picture of four bytes", "a\u{10000}", 4, "a"],
    ["nothing at all", "😀", 4, "😀"],
    ["no letter of two bytes that fits, and", "aש", 3, "aש"],
    ["no sign of three bytes that fits, and", "a€", 4, "a€"],
    ["nothing of one byte, and", "ab", 2, "ab"],
  ])("is cut before %s that did not fit", (_, text, length, shown) => {
    expect(decodeOutput(bytes(text).subarray(0, length), true)).toBe(shown);
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
    [{ exit: 0 }, 0, null, "completed"],
    [{ exit: 3 }, 3, null, "failed"],
    [{ exit: 130 }, 130, null, "failed"],
    ["timed_out", 124, "Timed out after 2.5 s", "failed"],
    ["out_of_memory", 137, "Memory limit of 64 MB exceeded", "failed"],
    ["stopped", 130, "Stopped", "stopped"],
    ["crashed", 139, "The program's process stopped unexpectedly", "failed"],
  ] as const)("%j is told by the code %i, in words and as a status", (ending, exit_code, error, status) => {
    const result = codeRunResult(order, ending, output);
    expect(result).toEqual({
      ...{ stdout: "o", stderr: "e", truncated: true, execution_time_ms: 13, memory_used_mb: 2 },
      ...{ limits_applied: order, success: exit_code === 0, exit_code, error },
    });
    expect(toRunStatus(result)).toBe(status);
    if (typeof ending === "string") expect(stopReason(exit_code)).toBe(ending);
  });

  it("with any other exit code of a stopped run is a crash", () => {
    expect(stopReason(1)).toBe("crashed");
  });

  it("tells of files that it did not get and of files that it wrote, where there are any", () => {
    const written = [{ path: "a", size_bytes: 1, text: "a" }];
    const limited = { ...order, files_left_out: ["big.txt"] };
    const result = codeRunResult(limited, { exit: 0 }, { ...output, written });
    expect(result).toMatchObject({ files_left_out: ["big.txt"], files_written: written });
    const nothing = codeRunResult({ ...order, files_left_out: [] }, { exit: 0 }, { ...output, written: [] });
    expect(Object.keys(nothing)).not.toContain("files_left_out");
    expect(Object.keys(nothing)).not.toContain("files_written");
  });

  it("says that input was missing only where Python says so", () => {
    expect(lacksInput({ stderr: "Traceback\nEOFError: EOF when reading a line\n" })).toBe(true);
    expect(lacksInput({ stderr: "ValueError" })).toBe(false);
  });
});

describe("a program that is no file", () => {
  it.each([
    ["python", "main.py"],
    ["javascript", "main.js"],
    ["typescript", "main.ts"],
  ] as const)("in %s is called %s", (language, name) => {
    expect(isRunnable(language)).toBe(true);
    expect(createLoneProgram(language)).toEqual({ name, files: [], files_left_out: [] });
  });

  it("cannot be run in another language", () => {
    expect(isRunnable("rust")).toBe(false);
  });
});

describe("what a tool may be asked", () => {
  const ask = (input: unknown) => checkBySchema(toolRequest, input);
  const most = "é".repeat(TOOL_CODE_MAX_BYTES / 2);
  const no_tool = { refused: "no_tool", context: { language: "rust", supported: TOOL_LANGUAGES } };
  const too_large = { refused: "payload_too_large", context: { max: TOOL_CODE_MAX_BYTES } };

  it.each([
    ["some code in a language that has a tool", { code: "x=1", language: "python" }, { language: "python" }],
    ["some code in a language by another name", { code: "x", language: "sh" }, { language: "bash" }],
    ["code of the greatest size", { code: most, language: "python" }, { code: most }],
    ["code of a byte more", { code: `${most}x`, language: "python" }, too_large],
    ["code in a language without a tool", { code: "x", language: "rust" }, no_tool],
    ["no code", { language: "python" }, { refused: "missing_code" }],
    ["blank code", { code: " \n", language: "python" }, { refused: "missing_code" }],
    ["null", null, { refused: "invalid_payload" }],
    ["a text", "x", { refused: "invalid_payload" }],
    ["a list", [], { refused: "invalid_payload" }],
  ])("is taken or refused: %s", (_, input, answer) => {
    expect(ask(input)).toMatchObject(answer);
  });

  it("is its code and its language alone", () => {
    expect(ask({ code: "x=1", language: "python" })).toEqual({ code: "x=1", language: "python" });
  });
});

describe("what may be explained", () => {
  it("is code before context, with its language and a question where they say something", () => {
    expect(
      checkExplainRequest({ code: "c", context: "d", language: " python ", question: " why? " }),
    ).toEqual({
      text: "c",
      language: "python",
      question: "why?",
    });
    expect(checkExplainRequest({ code: " ", context: "d", language: " ", question: "" })).toEqual({
      text: "d",
      language: null,
      question: null,
    });
  });

  const most = "é".repeat(EXPLAIN_MAX_BYTES / 2);
  const question = "🐸".repeat(QUESTION_MAX);
  it.each([
    ["nothing", {}, { refused: "missing_context" }],
    ["an empty text", { code: "" }, { refused: "missing_context" }],
    ["blanks", { code: " ", context: "\n" }, { refused: "missing_context" }],
    ["a text of the greatest size", { code: most }, { text: most }],
    ["a text of a byte more", { code: `${most}x` }, { refused: "payload_too_large" }],
    ["a question of the greatest length", { code: "x", question }, { question }],
    ["a longer question", { code: "x", question: `${question}?` }, { context: { field: "question" } }],
  ])("is taken or refused: %s", (_, input, answer) => {
    expect(checkExplainRequest(input)).toMatchObject(answer);
  });
});

it("keeps the result of a run for thirty days", () => {
  expect(computeRunResultExpiry(new Date("2037-01-01T12:00:00Z"))).toEqual(new Date("2037-01-31T12:00:00Z"));
});
