import type { Ending } from "#domain/code-runs/code-run.ts";

/** Programs that end badly or not by themselves: each has a process to itself. */
export type Expected = {
  ending: Ending;
  /** Whether the time limit may end it first. */
  orTimedOut?: true;
  stdout?: string | RegExp;
  stderr?: RegExp;
  truncated?: boolean;
};
export type Assault = [name: string, code: string, expected: Expected];

const TIMED_OUT: Expected = { ending: "timed_out", stdout: "so far" };
const OUT_OF_MEMORY: Expected = { ending: "out_of_memory" };
const begin = (code: string) => `print("so far", end="")\n${code}`;
/** The interpreter itself crashed. */
const CRASHED: Expected = { ending: "crashed" };
/** Outside all memory, for any memory layout. */
const FAR = "*[m['EXTENDED_ARG'], 0x1f, m['EXTENDED_ARG'], 255, m['EXTENDED_ARG'], 255]";
const replacing = (instruction: string) =>
  `import opcode\nm = opcode.opmap\ndef f(): return 1\nf.__code__ = f.__code__.replace(co_code=bytes([${FAR}, m['${instruction}'], 255, m['RETURN_VALUE'], 0]))\nf()`;

export const ASSAULTS: Record<string, Assault[]> = {
  processor: [
    ["an endless loop", begin("while True: pass"), TIMED_OUT],
    [
      "a loop that catches everything",
      begin("while True:\n try:\n  while True: pass\n except BaseException: pass"),
      TIMED_OUT,
    ],
    ["a sleep", begin("import time\ntime.sleep(1e6)"), TIMED_OUT],
    ["a sleep of the event loop", begin("import asyncio\nasyncio.run(asyncio.sleep(1e6))"), TIMED_OUT],
    ["a very large integer", begin("x = 3 ** 10_000_000 * 7 ** 10_000_000"), TIMED_OUT],
    [
      "a regular expression that backtracks",
      begin("import re\nre.match(r'(a+)+$', 'a' * 60 + 'b')"),
      TIMED_OUT,
    ],
    [
      "an endless iterator inside C",
      begin("import itertools, collections\ncollections.deque(itertools.count(), maxlen=0)"),
      TIMED_OUT,
    ],
    ["a sum without end", begin("sum(range(10 ** 15))"), TIMED_OUT],
    ["a poll without end", begin("import select\nselect.poll().poll()"), TIMED_OUT],
    [
      "exec that feeds itself",
      begin("s = 'exec(s)'\nwhile True:\n try: exec(s)\n except RecursionError: pass"),
      TIMED_OUT,
    ],
    [
      "an exit handler that never ends",
      begin("import sys\ntry: sys.exit(0)\nfinally:\n while True: pass"),
      TIMED_OUT,
    ],
  ],
  memory: [
    ["a list that grows", "x = []\nwhile True: x.append('a' * 100_000)", OUT_OF_MEMORY],
    ["one large block", "bytearray(10 ** 9)", OUT_OF_MEMORY],
    ["a doubled string", "s = 'ab'\nwhile True: s += s", OUT_OF_MEMORY],
    ["many small objects", "x = None\nwhile True: x = (x, [x])", OUT_OF_MEMORY],
    ["a dictionary", "d = {}\ni = 0\nwhile True:\n d[i] = str(i) * 50\n i += 1", OUT_OF_MEMORY],
    [
      "a compressed bomb",
      "import zlib\nb = zlib.compress(b'0' * 20_000_000)\nx = [zlib.decompress(b) for _ in range(99)]",
      OUT_OF_MEMORY,
    ],
    [
      "a program that recovers from it",
      "try: x = bytearray(10 ** 9)\nexcept MemoryError: print('recovered')",
      { ending: { exit: 0 }, stdout: "recovered\n" },
    ],
    [
      "an error of the same name, raised with memory left",
      "raise MemoryError('mine')",
      { ending: { exit: 1 }, stderr: /MemoryError: mine/ },
    ],
    [
      "the code of that error, after a byte order mark",
      "\ufeffimport os\nprint('read')\nos._exit(0x1089)",
      { ending: { exit: 0x89 }, stdout: "read\n" },
    ],
    [
      "an exit whose function was replaced",
      "import os, sys\nos._exit = lambda code: None\nsys.exit(3)",
      { ending: { exit: 3 } },
    ],
    [
      "files without end",
      "import os\nfor i in range(10 ** 6):\n with open(f'/tmp/{i}', 'wb') as f: f.write(b'x' * 1_000_000)",
      { ending: { exit: 1 }, stderr: /OSError/ },
    ],
  ],
  output: [
    [
      "a flood of lines",
      "while True: print('\\n' * 1000)",
      { ending: "timed_out", truncated: true, stdout: /^\n+$/ },
    ],
    [
      "ten megabytes at once",
      "print('x' * 10_000_000)",
      { ending: { exit: 0 }, truncated: true, stdout: /^x{102400}$/ },
    ],
    [
      "a flood of errors",
      "import sys\nsys.stderr.write('e' * 300_000)\nprint('still here')",
      { ending: { exit: 0 }, truncated: true, stdout: "still here\n" },
    ],
    [
      "bytes that are no text",
      "import os\nos.write(1, b'a\\xff\\xfeb')",
      { ending: { exit: 0 }, stdout: "a\ufffd\ufffdb" },
    ],
    ["a lone surrogate", "print('\\ud800')", { ending: { exit: 0 }, stdout: "\\ud800\n" }],
    ["a closed output", "import os\nos.close(1)\nprint('x')", { ending: { exit: 1 } }],
    [
      "an exception with a huge message",
      "raise ValueError('x' * 50_000)",
      { ending: { exit: 1 }, truncated: false, stderr: /characters left out/ },
    ],
    [
      "an exception that cannot be shown",
      "class E(Exception):\n def __str__(self): raise E()\nraise E()",
      { ending: { exit: 1 } },
    ],
  ],
  recursion: [
    ["a function that calls itself", "def f(): f()\nf()", { ending: { exit: 1 }, stderr: /RecursionError/ }],
    [
      "without Python's own limit",
      "import sys\nsys.setrecursionlimit(10 ** 8)\ndef f(): f()\nf()",
      // Python overflows its own stack, or needs minutes to free a million calls: that depends on its memory layout.
      { ...OUT_OF_MEMORY, orTimedOut: true },
    ],
    [
      "in a comparison inside C",
      "x = []\ny = []\nfor _ in range(250_000): x, y = [x], [y]\nprint(x == y)",
      CRASHED,
    ],
    [
      "in what is compiled",
      "eval('-' * 200_000 + '1')",
      { ending: { exit: 1 }, stderr: /MemoryError: Parser stack overflowed/ },
    ],
    ["in what is printed", "x = []\nfor _ in range(10 ** 5): x = [x]\nprint(x)", { ending: "timed_out" }],
    [
      "in a class that answers for itself",
      "class A:\n def __getattr__(self, n): return getattr(self, n)\nA().a",
      { ending: { exit: 1 } },
    ],
  ],
  "crafted bytecode": [
    [
      "instructions that do not exist",
      "def f(): pass\nf.__code__ = f.__code__.replace(co_code=bytes([255, 255] * 50))\nf()",
      CRASHED,
    ],
    ["constants that are not there", replacing("LOAD_CONST"), CRASHED],
    [
      "no stack at all",
      "def f(a): return [a, [a, [a, a]]]\nf.__code__ = f.__code__.replace(co_stacksize=0)\nprint(f(1))",
      { ending: { exit: 0 }, stdout: "[1, [1, [1, 1]]]\n" },
    ],
    ["locals that are not there", replacing("LOAD_FAST"), CRASHED],
    [
      "instructions at random",
      "import random\ndef f(): return 1\nf.__code__ = f.__code__.replace(co_code=random.Random(7).randbytes(400))\nf()",
      CRASHED,
    ],
    [
      "an object whose type is a lie",
      "import marshal\ncode = compile('1', 'a', 'eval')\nraw = bytearray(marshal.dumps(code))\nraw[20:40] = b'\\xff' * 20\nexec(marshal.loads(bytes(raw)))",
      { ending: { exit: 1 }, stderr: /ValueError: bad marshal data/ },
    ],
  ],
  "the end of the interpreter": [
    ["an abort", "import os\nos.abort()", CRASHED],
    [
      "a signal to itself",
      "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)",
      { ending: { exit: 137 } },
    ],
    ["a forced fault", "import faulthandler\nfaulthandler._sigsegv()", CRASHED],
    ["its own exit", "import os\nprint('x')\nos._exit(9)", { ending: { exit: 9 }, stdout: "x\n" }],
    [
      "an exit that is taken away",
      "import os\nos._exit = lambda code: None\nprint('x')",
      { ending: { exit: 0 }, stdout: "x\n" },
    ],
    ["an exit code from outside the range", "import sys\nsys.exit(4660)", { ending: { exit: 0x34 } }],
    ["an exit with words", "import sys\nsys.exit('words')", { ending: { exit: 1 }, stderr: /^words\n$/ }],
    [
      "a bridge made anew",
      "import _imp, importlib.machinery as m\nc = _imp.create_builtin(m.ModuleSpec('_pyodide_core', None))\nfor n in dir(c):\n for a in ((), (1,), ('1',)):\n  try: getattr(c, n)(*a)\n  except Exception: pass",
      CRASHED,
    ],
    [
      "a bridge found among all objects",
      "import gc\nfor o in gc.get_objects():\n if 'Js' in repr(type(o)):\n  for act in (dir, repr, list, lambda x: x(), lambda x: x.constructor.constructor('return 1')()):\n   try: act(o)\n   except Exception: pass\nprint('tried')",
      { ending: { exit: 0 }, stdout: "tried\n" },
    ],
    [
      "its own runner",
      "import _run\n_run._exit_code = _run._print_exception = None\n_run.main('{')\n",
      { ending: { exit: 1 }, stdout: "" },
    ],
    ["a syntax error", "def f(:\n", { ending: { exit: 1 }, stderr: /SyntaxError/ }],
    ["a character that cannot be", "x = '\u0000'", { ending: { exit: 1 }, stderr: /SyntaxError/ }],
  ],
};
