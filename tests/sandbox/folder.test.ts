import { describe, expect, it } from "vitest";
import { openTestSandbox, runIn } from "#tests/support/sandbox.ts";

const sandbox = openTestSandbox(1);
// The first one may have to make the snapshot; no program should wait for that.
(await sandbox.take()).kill();

describe("a program with files beside it", () => {
  it("imports them, opens them, and leaves what it wrote; tracebacks name them as their owner does", async () => {
    const { ending, output } = await runIn(sandbox, {
      name: "report.py",
      code: [
        "import sys, util",
        "from pkg.inner import VALUE",
        "print(sys.argv, __file__, util.double(21), VALUE, open('data/in.txt').read(), sys.stdin.read())",
        "open('out.txt', 'w').write('שלום')",
        "open('data/in.txt', 'a').write('!')",
        "open('large.bin', 'wb').write(b'x' * 70_000)",
        "open('raw.bin', 'wb').write(b'\\xff')",
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

  it("may not fill the answer with files", async () => {
    const code = "for i in range(3000): open(f'{i}.txt', 'w').write('x' * 20_000 if i < 100 else '')";
    const { output } = await runIn(sandbox, { code });

    expect(output.written).toHaveLength(20);
    const kept = (output.written ?? []).filter(({ text }) => text !== null);
    expect(kept.reduce((sum, { size_bytes }) => sum + size_bytes, 0)).toBeLessThanOrEqual(256 * 1024);
  });
});
