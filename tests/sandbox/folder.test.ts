import { describe, expect, it } from "vitest";
import { itDrawn } from "#tests/support/test-runs/full-run.ts";
import { openTestSandbox, runIn } from "#tests/support/workers/sandbox.ts";

const sandbox = openTestSandbox(1);
// The first child may have to make the snapshot; no program should wait for that.
(await sandbox.take()).kill();

describe("a program with files beside it", () => {
  it("imports them, opens them, and leaves what it wrote; tracebacks name them as their owner does", async () => {
    const { ending, output } = await runIn(sandbox, {
      name: "report.py",
      code: [
        ...["import sys, util", "from pkg.inner import VALUE"],
        "print(sys.argv, __file__, util.double(21), VALUE, open('data/in.txt').read(), sys.stdin.read())",
        ...["open('out.txt', 'w').write('שלום')", "open('data/in.txt', 'a').write('!')"],
        ...["open('large.bin', 'wb').write(b'x' * 70_000)", "open('raw.bin', 'wb').write(b'\\xff')"],
        "util.fail()",
      ].join("\n"),
      args: ["-v"],
      stdin: "typed",
      files: [
        {
          path: "util.py",
          text: "def double(n):\n    return 2 * n\ndef fail():\n    raise ValueError('no')\n",
        },
        { path: "pkg/inner.py", text: "VALUE = 'inner'\n" },
        { path: "data/in.txt", text: "given" },
        { path: "other.txt", text: "unchanged" },
      ],
    });

    expect(output.stdout).toBe("['report.py', '-v'] report.py 42 inner given typed\n");
    expect(output.stderr).toMatch(
      /File "report.py", line 8, in <module>\n(.|\n)*File "util.py", line 4, in fail\n(.|\n)*ValueError: no\n$/,
    );
    expect(ending).toEqual({ exit: 1 });
    expect(output.written?.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: "data/in.txt", size_bytes: 6, text: "given!" },
      { path: "large.bin", size_bytes: 70_000, text: null },
      { path: "out.txt", size_bytes: 8, text: "שלום" },
      { path: "raw.bin", size_bytes: 1, text: null },
    ]);
  });

  it("cannot fill the answer with files", async () => {
    const code = "for i in range(300): open(f'{i}.txt', 'w').write('x' * 20_000 if i < 100 else '')";
    const { output } = await runIn(sandbox, { code });

    expect(output.written).toHaveLength(20);
    const written = (output.written ?? []).filter(({ text }) => text !== null);
    expect(written.reduce((sum, { size_bytes }) => sum + size_bytes, 0)).toBeLessThanOrEqual(256 * 1024);
  });
});

describe("a JavaScript program with files beside it", () => {
  const files = [
    {
      path: "util.js",
      text: "import { name } from './report.js';\nexport const who = () => name;\nexport function fail() {\n  throw new Error('no');\n}\n",
    },
    { path: "data.json", text: '{ "list": [1, 2] }' },
    { path: "bad.json", text: '{\n  "a" 1 }' },
    {
      path: "types.ts",
      text: "export enum Colour { Red = 1 }\nexport interface Named { name: string }\nexport const boom = ({ name }: Named): never => {\n  throw new TypeError(name);\n};\n",
    },
    {
      path: "common.js",
      text: "exports.list = require('./data.json').list;\nexports.self = () => module;\n",
    },
    {
      path: "lib/index.js",
      text: "const common = require('../common');\nmodule.exports = { common, five: 5, call() {} };",
    },
    { path: "broken.js", text: "let a = 1;\nlet b = ;\n" },
  ];
  const runAs = (name: string, ...lines: string[]) =>
    runIn(sandbox, {
      name,
      language: name.endsWith(".ts") ? "typescript" : "javascript",
      code: lines.join("\n"),
      files,
    });

  it("imports modules, data and files written for require, in a circle too; errors name the file and line", async () => {
    const { ending, output } = await runAs(
      "report.js",
      "import { fail, who } from './util.js';",
      "import data from './data.json';",
      "import lib, { five } from './lib';",
      "export const name = 'report';",
      "console.log(who(), data.list.length, lib.common.list === data.list, five, process.argv[1]);",
      "fail();",
    );

    expect(output.stdout).toBe("report 2 true 5 report.js\n");
    expect(output.stderr).toBe("Uncaught Error: no\n    at fail (util.js:4:9)\n    at report.js:6:1\n");
    expect(ending).toEqual({ exit: 1 });
  });

  itDrawn("TypeScript beside a program", 3)(
    "finds TypeScript by a name without its ending, and lines of a text that was written anew",
    async () => {
      const { output } = await runAs(
        "main.ts",
        "import { boom, Colour, type Named } from './types';",
        "const named: Named = { name: Colour[1] };",
        "boom(named);",
      );

      expect(output.stderr).toMatch(
        /^Uncaught TypeError: Red\n {4}at boom \(types.ts:4:\d+\)\n {4}at main.ts:3:\d+\n$/,
      );
    },
  );

  const required: [expression: string, outcome: RegExp][] = [
    ["require('./lib').common === require('./common.js')", /^true$/],
    ["require('./common').self().exports === require('./common')", /^true$/],
    ["require('./broken')", /SyntaxError: Unexpected token ';' \[broken.js:2:9\]/],
    ["require('./bad.json')", /\[bad.json:2:7\]/],
    ["require('./util')", /Cannot load 'util.js': it is a module; load it with import/],
    [
      "require('../../etc/passwd')",
      /Cannot load '..\/..\/etc\/passwd': there is no such file in this folder/,
    ],
    ["require('/etc/passwd')", /Cannot load '\/etc\/passwd': there is no such file/],
    ["require('file:///etc/passwd')", /Cannot load 'file:\/\/\/etc\/passwd': it is not available here/],
    ["require('fs')", /Cannot load 'fs': it is not available here; see the list at Tools/],
    ["require(['./typ', 'es'].join(''))", /only a name that is written out can be loaded/],
    ["require.constructor('return typeof process.binding')()", /^undefined$/],
    ["require('./__proto__')", /there is no such file/],
  ];
  const tried = runAs(
    "main.js",
    ...required.map(
      ([expression]) => `try { console.log(String(${expression})) } catch (e) { console.log(String(e)) }`,
    ),
  );
  it.each(required.map(([expression, outcome], i) => ({ expression, outcome, i })))(
    "$expression",
    async ({ outcome, i }) => {
      const { output } = await tried;
      expect(output.stdout.split("\n")[i]).toMatch(outcome);
    },
  );

  itDrawn("names that are not exported", 3)(
    "learns which name a module does not export, and where it is imported",
    async () => {
      const { output } = await runAs("main.js", "", "import { none } from './types.ts';");

      expect(output.stderr).toMatch(/does not provide an export named 'none'\n {4}at main.js:2:22\n$/);
    },
  );
});
