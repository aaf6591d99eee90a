import { describe, expect, it } from "vitest";
import { analyseCode, SMELL_KINDS } from "#domain/code-runs/code-reading.ts";
import { type FailureKind, parseFailure } from "#domain/code-runs/failure-reading.ts";

const python = (line: string) =>
  `Traceback (most recent call last):\n  File "app.py", line 3, in run\n    x\n${line}\n`;
const script = (line: string) =>
  `${line}\n    at run (/srv/app/main.js:12:5)\n    at node:internal/main:1:1\n`;

describe("a failure is read", () => {
  const cases: [string, FailureKind, string | null][] = [
    [python("ModuleNotFoundError: No module named 'requests'"), "missing_module", "requests"],
    [python("NameError: name 'totl' is not defined"), "missing_name", "totl"],
    [python("AttributeError: 'NoneType' object has no attribute 'group'"), "none_used", "group"],
    [python("AttributeError: 'list' object has no attribute 'push'"), "missing_member", "push"],
    [python("KeyError: 'apple'"), "missing_key", "apple"],
    [python("IndexError: list index out of range"), "index_out_of_range", null],
    [python("TypeError: add() missing 1 required positional argument: 'b'"), "wrong_arguments", "add"],
    [python("TypeError: 'int' object is not callable"), "not_callable", "int"],
    [python('TypeError: can only concatenate str (not "int") to str'), "wrong_type", null],
    [python("ValueError: invalid literal for int() with base 10: 'x1'"), "bad_number", "x1"],
    [python("json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)"), "bad_json", null],
    [python("SyntaxError: invalid syntax"), "bad_syntax", null],
    [python("IndentationError: unexpected indent"), "bad_indentation", null],
    [python("ZeroDivisionError: division by zero"), "division_by_zero", null],
    [python("FileNotFoundError: [Errno 2] No such file or directory: 'a.txt'"), "file_missing", "a.txt"],
    [python("PermissionError: [Errno 13] Permission denied: '/x'"), "not_permitted", null],
    [python("UnicodeDecodeError: 'utf-8' codec can't decode byte 0xff"), "bad_encoding", null],
    [python("RecursionError: maximum recursion depth exceeded"), "too_deep", null],
    [python("MemoryError"), "out_of_memory", null],
    [python("ConnectionRefusedError: [Errno 111] Connection refused"), "unreachable", null],
    [python("TimeoutError: timed out"), "too_slow", null],
    [python("AssertionError: 1 != 2"), "failed_assertion", null],
    [python("django.core.exceptions.ImproperlyConfiguredError: no"), "other", null],
    [script("TypeError: Cannot read properties of undefined (reading 'name')"), "none_used", "name"],
    [script("TypeError: users.map is not a function"), "not_callable", "users.map"],
    [script("ReferenceError: count is not defined"), "missing_name", "count"],
    [script("Error: Cannot find module 'express'"), "missing_module", "express"],
    [script("SyntaxError: Unexpected token '<', \"<html>\" is not valid JSON"), "bad_json", null],
    [script("RangeError: Maximum call stack size exceeded"), "too_deep", null],
    [script("Error: listen EADDRINUSE: address already in use :::3000"), "port_taken", "3000"],
    [script("Error: connect ECONNREFUSED 127.0.0.1:5432"), "unreachable", null],
    ["Uncaught TypeError: x is not a function", "not_callable", "x"],
  ];
  it.each(cases)("%s", (text, kind, subject) => {
    expect(parseFailure(text)).toMatchObject({ kind, subject });
  });

  it("at the innermost place that is the person's own", () => {
    const trace =
      'Traceback (most recent call last):\n  File "app.py", line 3, in run\n  File "/x/site-packages/a.py", line 9, in a\nKeyError: 1\n';
    expect(parseFailure(trace)?.place).toEqual({ file: "app.py", line: 3 });
    expect(parseFailure(script("Error: ENOENT: no such file, open 'a'"))?.place).toEqual({
      file: "/srv/app/main.js",
      line: 12,
    });
  });

  it("not out of code that merely speaks of errors", () => {
    expect(parseFailure("try:\n    run()\nexcept ValueError:\n    raise KeyError('x')\n")).toBeNull();
  });
});

describe("code is read", () => {
  it("for what it imports and defines", () => {
    const py = "import os\nfrom json import loads\n\nclass Box:\n    def open(self):\n        pass\n";
    const read = {
      language: "python",
      lines: 6,
      imports: ["os", "json"],
      functions: ["open"],
      classes: ["Box"],
    };
    expect(analyseCode(py, null)).toMatchObject(read);
    const js =
      'import a from "a";\nconst b = require("b");\nexport const go = async (x) => x;\nfunction stay() {}\n';
    expect(analyseCode(js, "js")).toMatchObject({ imports: ["a", "b"], functions: ["go", "stay"] });
  });

  it("names what it calls, and nothing that only looks like a call", () => {
    const python =
      "def run(x):\n    # not(this)\n    if (x): print('no(t)')\n    os.path.join(x)\n    print(1)\n";
    expect(analyseCode(python, "python").calls).toEqual(["print", "os.path.join"]);
    const script = "class A {\n  go() {\n    for (const a of list()) this.add(a);\n  }\n}\n";
    expect(analyseCode(script, "js").calls).toEqual(["list", "this.add"]);
    expect(analyseCode("f(x)\n", "text").calls).toEqual([]);
  });

  const smelly: [string, string, (typeof SMELL_KINDS)[number]][] = [
    ["python", "try:\n  x\nexcept:\n  y", "bare_except"],
    ["python", "except ValueError: pass", "swallowed_error"],
    ["javascript", "try { x() } catch (e) {}", "swallowed_error"],
    ["python", "eval(text)", "runs_text"],
    ["python", "def f(a, b=[]):", "mutable_default"],
    ["python", "if x == None:", "compares_none"],
    ["python", "run(c, shell=True)", "shell_command"],
    ["python", "get(url, verify=False)", "unverified_tls"],
    ["javascript", "if (a == b) {}", "loose_equality"],
    ["javascript", "var a = 1", "old_var"],
    ["javascript", "box.innerHTML = text", "raw_html"],
    ["javascript", "console.log(x)", "debug_output"],
    ["python", 'q = "select a from t where b = " + b', "sql_from_text"],
    ["sql", "select * from t", "select_all"],
    ["bash", "rm -rf $DIR/x", "unquoted_remove"],
    ["python", 'password = "[redacted]"', "secret_inside"],
    ["go", "// TODO later", "left_to_do"],
    ["text", "<<<<<<< HEAD", "merge_marks"],
    ["text", "x".repeat(161), "long_lines"],
  ];
  it.each(smelly)("%s: %s", (language, code, kind) => {
    expect(analyseCode(code, language).smells.map((smell) => smell.kind)).toContain(kind);
  });

  it("and every kind of smell is known by a text above", () => {
    expect(new Set(smelly.map(([, , kind]) => kind))).toEqual(new Set(SMELL_KINDS));
  });

  it("without alarm where nothing is wrong", () => {
    const good =
      "import json\n\n\ndef read(path: str) -> dict:\n    with open(path) as file:\n        return json.load(file)\n";
    expect(analyseCode(good, "python").smells).toEqual([]);
    expect(
      analyseCode("if (a === b) { const c = (x) => x >= 1 && x != null; }", "javascript").smells,
    ).toHaveLength(1);
  });
});
