/** Programs for the sandbox's measurements, and how each must end. */
import type { Ending, RunnableLanguage } from "#domain/code-runs/code-run.ts";

export const HELLO = "print(sum(range(1000)))";
export const SCRIPT = "console.log([...Array(1000).keys()].reduce((sum, n) => sum + n))";
const TYPED = "enum Step { One = 1 }\nconst add = (n: number): number => n + Step.One;\nconsole.log(add(1));";
export type BenchProgram = { code: string; language: RunnableLanguage; ending: Ending };
export const GOOD: BenchProgram[] = [
  { code: HELLO, language: "python", ending: { exit: 0 } },
  { code: SCRIPT, language: "javascript", ending: { exit: 0 } },
  { code: TYPED, language: "typescript", ending: { exit: 0 } },
];
const HOSTILE_SCRIPTS: BenchProgram[] = [
  { code: "while (true);", language: "javascript", ending: "timed_out" },
  {
    code: "const a = []; for (;;) a.push(Array(1000).fill(1.5))",
    language: "javascript",
    ending: "out_of_memory",
  },
  { code: "process.exit(9)", language: "javascript", ending: { exit: 9 } },
];
const HOSTILE: [code: string, ending: Ending][] = [
  ["while True: pass", "timed_out"],
  ["x = []\nwhile True: x.append('a' * 1_000_000)", "out_of_memory"],
  ["print('x' * 10_000_000)", { exit: 0 }],
  ["def f(): f()\nf()", { exit: 1 }],
  ["import time\ntime.sleep(1e6)", "timed_out"],
  ["import os\nos.abort()", "crashed"],
  ["def f(): pass\nf.__code__ = f.__code__.replace(co_code=bytes([255, 255] * 50))\nf()", "crashed"],
  ["for i in range(10 ** 6): open(f'/tmp/{i}', 'wb').write(b'x' * 1_000_000)", { exit: 1 }],
  ["import os\nos._exit(9)", { exit: 9 }],
];
export const BAD: BenchProgram[] = [
  ...HOSTILE.map(([code, ending]) => ({ code, language: "python" as const, ending })),
  ...HOSTILE_SCRIPTS,
];
