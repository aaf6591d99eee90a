import type { Assault, Expected } from "./assaults.ts";

/** Attempts of a JavaScript program that leave it running: expressions, and their values as text. */
export const JAVASCRIPT_PROBES: [attempt: string, outcome: RegExp][] = [
  ["typeof process.binding + typeof process.mainModule + typeof process.kill", /^(undefined){3}$/],
  ["this.constructor.constructor('return typeof fetch + typeof Deno + typeof global')()", /^(undefined){3}$/],
  ["Function('return this')() === globalThis", /^true$/],
  ["console.log.constructor('return typeof process.dlopen')()", /^undefined$/],
  ["setTimeout.constructor.constructor('return globalThis')() === globalThis", /^true$/],
  ["process.exit.constructor('return typeof require.cache')()", /^undefined$/],
  ["prompt.call.call(Function, null, 'return typeof WebAssembly')()", /^undefined$/],
  ["(async () => {}).constructor('return typeof SharedArrayBuffer')() instanceof Promise", /^true$/],
  ["typeof WebAssembly + typeof SharedArrayBuffer + typeof Atomics", /^(undefined){3}$/],
  ["typeof prepareProgram + typeof defineInspect + typeof GUEST_NAMES", /^(undefined){3}$/],
  ["typeof XMLHttpRequest + typeof fetch + typeof WebSocket + typeof Worker", /^(undefined){4}$/],
  ["require('fs')", /Cannot load 'fs'/],
  ["require('node:child_process').execSync('id')", /Cannot load/],
  ["eval('import(\"fs\")') instanceof Promise", /^true$/],
  ["new Proxy(console, {}).log === console.log", /^true$/],
  [
    "(() => { let seen = 'nothing'; const set = Uint8Array.prototype.set; Uint8Array.prototype.set = function () { seen = this.buffer.constructor.name; return set.apply(this, arguments) }; console.error('x'); Uint8Array.prototype.set = set; return seen })()",
    /^nothing$/,
  ],
  [
    "(() => { const seen = []; Object.defineProperty(Object.prototype, 'buffer', { configurable: true, set(v) { seen.push(typeof v) } }); console.error('x'); delete Object.prototype.buffer; return seen.length })()",
    /^0$/,
  ],
  [
    "(() => { Error.prepareStackTrace = (_, sites) => sites.map((site) => [typeof site.getThis(), typeof site.getFunction()]).join(); const { stack } = new Error(); delete Error.prepareStackTrace; return /sandbox|node:|file:/.test(stack) })()",
    /^false$/,
  ],
  [
    "(() => { try { (function f() { f() })() } catch (e) { return e.constructor === RangeError } })()",
    /^true$/,
  ],
  ["new Error('x').stack.includes('node_modules')", /^false$/],
  ["new Uint8Array(2 ** 30).length", /RangeError/],
  ["'x'.repeat(2 ** 30)", /RangeError/],
  ["structuredClone({ a: new Map([[1, [new Date(0)]]]) }).a.get(1)[0].getTime()", /^0$/],
  ["structuredClone(() => {})", /DataCloneError/],
  ["(() => { const a = {}; a.a = a; return structuredClone(a).a.a !== a })()", /^true$/],
  ["new TextDecoder().decode(new TextEncoder().encode('שלום 😀'))", /^שלום 😀$/],
  ["Object.getOwnPropertyNames(process).join()", /^argv,env,exitCode,exit,stdout,stderr$/],
];

export const probeJavaScript = () => `const results = [];
for (const attempt of ${JSON.stringify(JAVASCRIPT_PROBES.map(([attempt]) => attempt))}) {
  try { results.push(String((0, eval)(attempt))) } catch (error) { results.push(String(error)) }
}
console.log(JSON.stringify(results));
import("fs").then(() => console.log("imported"), (error) => console.log(String(error)));`;

const TIMED_OUT: Expected = { ending: "timed_out", stdout: "so far" };
const begin = (code: string) => `process.stdout.write("so far");\n${code}`;

export const JAVASCRIPT_ASSAULTS: Assault[] = [
  ["an endless loop", begin("while (true);"), TIMED_OUT],
  ["a timer that never ends", begin("setInterval(() => {}, 1)"), TIMED_OUT],
  ["promises without end", begin("(function f() { Promise.resolve().then(f) })()"), TIMED_OUT],
  ["a regular expression that backtracks", begin("/(a+)+$/.test('a'.repeat(60) + 'b')"), TIMED_OUT],
  ["an exit that it catches", begin("for (;;) try { process.exit(3) } catch {}"), TIMED_OUT],
  ["a list that grows", "const a = []; for (;;) a.push(Array(1000).fill(1.5))", { ending: "out_of_memory" }],
  [
    "buffers without end",
    "const a = []; for (;;) a.push(new Uint8Array(1e6))",
    { ending: { exit: 1 }, stderr: /Array buffer allocation failed/ },
  ],
  [
    "timers without end",
    "for (;;) setTimeout(() => {}, 1e6)",
    { ending: { exit: 1 }, stderr: /too many timers/ },
  ],
  [
    "ten megabytes at once",
    "console.log('x'.repeat(1e7)); console.error('still here')",
    { ending: { exit: 0 }, truncated: true, stdout: /^x{102400}$/, stderr: /^still here\n$/ },
  ],
  [
    "an error, at its own line",
    "function f() {\n  throw new TypeError('bad')\n}\nf()",
    {
      ending: { exit: 1 },
      stderr: /^Uncaught TypeError: bad\n {4}at f \(main.js:2:9\)\n {4}at main.js:4:1\n$/,
    },
  ],
  [
    "a promise that nobody catches, after a timer",
    "setTimeout(async () => { await null; throw new Error('late') }, 1); await 0",
    { ending: { exit: 1 }, stderr: /^Uncaught Error: late\n/ },
  ],
  [
    "a package it imports, told in one line with its place",
    "\nimport _ from 'lodash'",
    {
      ending: { exit: 1 },
      stderr:
        /^Uncaught Error: Cannot load 'lodash': it is not available here; see the list at Tools\n {4}at main.js:2:15\n$/,
    },
  ],
  [
    "an error in the words of a limit",
    "throw new Error('Script execution timed out.')",
    { ending: { exit: 1 }, stderr: /^Uncaught Error: Script execution timed out\.\n/ },
  ],
  [
    "a SyntaxError of its own, once",
    "process.stdout.write('once'); eval('import x from \"y\"')",
    { ending: { exit: 1 }, stdout: /^once$/, stderr: /^Uncaught SyntaxError/ },
  ],
  [
    "a timer beyond the limit, which it names",
    "setTimeout(() => {}, 86_400_000)",
    {
      ending: "timed_out",
      stderr: /^Stopped: a timer waits for (?:86400|86399\.\d+) s more, beyond the limit of [\d.]+ s\.\n$/,
    },
  ],
  ["what is no error", "throw null", { ending: { exit: 1 }, stderr: /^Uncaught null\n$/ }],
  [
    "an exit of its own",
    "setTimeout(() => process.exit(7), 1); setInterval(() => {}, 1)",
    { ending: { exit: 7 } },
  ],
];

export const TYPESCRIPT_ASSAULTS: Assault[] = [
  [
    "an enum, and an error at its own line",
    "enum Colour { Red = 1 }\n\ninterface Named { name: string }\nconst f = ({ name }: Named): never => {\n  throw new Error(name + Colour[1]);\n};\nf({ name: 'x' });",
    {
      ending: { exit: 1 },
      stderr: /^Uncaught Error: xRed\n {4}at f \(main.ts:5:\d+\)\n {4}at main.ts:7:\d+\n$/,
    },
  ],
  [
    "what is no TypeScript",
    "let a = 1;\nlet b: = 2",
    { ending: { exit: 1 }, stderr: /SyntaxError: .*\[main.ts:2\]/ },
  ],
  [
    "brackets too deep for its parser, without a word of Node",
    `let a: number = ${"(".repeat(20_000)}1${")".repeat(20_000)}`,
    { ending: { exit: 1 }, stderr: /^Uncaught SyntaxError: This is nested too deeply[^\n]*\n$/ },
  ],
];
