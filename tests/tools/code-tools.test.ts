import { afterAll, describe, expect, it } from "vitest";
import { checkCode, formatCode } from "#app/tools/code-tools.server.ts";
import { TOOLS, type ToolLanguage, type ToolRequest } from "#domain/code-runs/code-tool.ts";
import { required } from "#domain/required.ts";
import { createThreadPool } from "#platform/threads/thread-pool.ts";
import { itDrawn } from "#tests/support/test-runs/full-run.ts";

const threads = createThreadPool();
afterAll(() => threads.close());
const tools = {
  format: (request: ToolRequest) => formatCode(threads, "owner", request),
  check: (request: ToolRequest) => checkCode(threads, "owner", request),
};

type Sample = { untidy: string; tidy: string; broken: string | null };

const SAMPLES: Record<ToolLanguage, Sample> = {
  bash: {
    untidy: "if true;then\necho  hi;fi",
    tidy: "if true; then\n  echo hi\nfi\n",
    broken: "if true; then",
  },
  css: { untidy: "a{color:red}", tidy: "a {\n  color: red;\n}\n", broken: "a { color: red" },
  graphql: { untidy: "query{a  b}", tidy: "query {\n  a\n  b\n}\n", broken: "query {" },
  html: { untidy: "<p>a   b", tidy: "<p>a b</p>\n", broken: "<b></i>" },
  javascript: { untidy: "let x=<b>1</b>", tidy: "let x = <b>1</b>;\n", broken: "let x = ;" },
  json: { untidy: '{"a":[1,2]}', tidy: '{ "a": [1, 2] }\n', broken: '{"a":' },
  less: { untidy: "@a:1px;b{c:@a}", tidy: "@a: 1px;\nb {\n  c: @a;\n}\n", broken: "b { c: d" },
  markdown: { untidy: "* a\n* b", tidy: "- a\n- b\n", broken: null },
  python: { untidy: "x = [1,2 ]", tidy: "x = [1, 2]\n", broken: "x = = 1" },
  scss: { untidy: "$a:1px;b{c:$a}", tidy: "$a: 1px;\nb {\n  c: $a;\n}\n", broken: "b { c: d" },
  sql: { untidy: "select a from t", tidy: "select\n  a\nfrom\n  t\n", broken: "select (" },
  typescript: {
    untidy: "const x:number=1; const y=<T,>(z:T)=>z",
    tidy: "const x: number = 1;\nconst y = <T,>(z: T) => z;\n",
    broken: "let x: = 3",
  },
  vue: {
    untidy: "<template><p>a</p></template>",
    tidy: "<template><p>a</p></template>\n",
    broken: "<template><div></template>",
  },
  yaml: { untidy: "a:   1", tidy: "a: 1\n", broken: "a: ]" },
};

describe("every language with a tool", () => {
  it.each(Object.entries(SAMPLES) as [ToolLanguage, Sample][])(
    "%s is formatted, and stays the same when formatted again",
    async (language, { untidy, tidy }) => {
      const formatted = await tools.format({ code: untidy, language });
      expect(formatted).toMatchObject({ formatted_code: tidy, has_changes: true, tool: TOOLS[language] });
      expect(formatted).toMatchObject({ diff: expect.stringContaining("@@") });
      expect(await tools.format({ code: tidy, language })).toMatchObject({ has_changes: false, diff: "" });
      expect(await tools.check({ code: tidy, language })).toEqual([]);
    },
  );

  it.each((Object.entries(SAMPLES) as [ToolLanguage, Sample][]).filter(([, { broken }]) => broken !== null))(
    "invalid %s is reported with its position, and is not formatted",
    async (language, { broken }) => {
      const issues = await tools.check({ code: required(broken), language });
      expect(issues).toMatchObject([{ line: expect.any(Number), severity: "error", fixable: false }]);
      const formatted = await tools.format({ code: required(broken), language });
      expect(formatted).toMatchObject({
        refused: "syntax_error",
        context: { line: 1, tool: TOOLS[language] },
      });
    },
  );
});

describe("checking", () => {
  it("separates errors from warnings, in the order of the lines", async () => {
    const issues = await tools.check({
      code: "import os\n\nprint('שלום😀', undefined_name)\n",
      language: "python",
    });
    expect(issues).toEqual([
      {
        line: 1,
        column: 8,
        code: "F401",
        message: "`os` imported but unused",
        severity: "warning",
        fixable: true,
      },
      {
        line: 3,
        column: 17,
        code: "F821",
        message: "Undefined name `undefined_name`",
        severity: "error",
        fixable: false,
      },
    ]);
  });

  it("warns of JSON with comments, which can be formatted all the same", async () => {
    const issues = await tools.check({ code: '{\n  // why\n  "a": 1\n}\n', language: "json" });
    expect(issues).toMatchObject([{ line: 2, code: "strict-json", severity: "warning" }]);
  });

  it("says where SQL is nested too deeply, before its parser takes all memory", async () => {
    const deep = (levels: number) => `select\n ${"(".repeat(levels)}1${")".repeat(levels)}`;
    expect(await tools.check({ code: deep(200), language: "sql" })).toEqual([]);
    expect(await tools.check({ code: deep(90_000 / 2), language: "sql" })).toMatchObject([
      { line: 2, column: 202, message: "Nested more than 200 levels deep." },
    ]);
  });

  it("keeps a message short that a parser made long", async () => {
    const issues = await tools.check({ code: "select ((( from", language: "sql" });
    expect(issues).toMatchObject([{ line: 1, column: 16 }]);
    expect(JSON.stringify(issues).length).toBeLessThan(500);
  });
});

describe("code that a tool cannot cope with", () => {
  it("ends the thread, and another one handles the next code", async () => {
    for (const [language, code] of [
      ["python", "(".repeat(40_000)],
      ["javascript", "(".repeat(20_000)],
    ] as const)
      expect(await tools.format({ code, language })).toEqual({ refused: "tool_failed", context: {} });
    expect(await tools.format({ code: "x=1", language: "python" })).toMatchObject({
      formatted_code: "x = 1\n",
    });
  });

  it("that is one more than may wait is turned away", async () => {
    const full = createThreadPool({ maxWaiting: 0 });
    expect(await checkCode(full, "owner", { code: "a", language: "css" })).toEqual({
      refused: "tools_busy",
      context: { retry_after: 5 },
    });
    await full.close();
  });

  itDrawn("processor time", 3)("is given up after its processor time", async () => {
    const format = () => tools.format({ code: "f(x=>{a[b]?c:d});\n".repeat(28_000), language: "typescript" });
    let slow = await format();
    // A busy machine gave it no processor time.
    while ("refused" in slow && slow.refused === "tools_busy") slow = await format();
    expect(slow).toEqual({ refused: "tool_too_slow", context: {} });
  });
});
