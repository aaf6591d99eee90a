import { describe, expect, it } from "vitest";
import { archiveNames } from "#domain/files/archive.ts";

/** Every name of so many characters out of a few. */
function spelled(characters: string, length: number): string[] {
  const names = [""];
  for (let i = 0; i < length; i += 1)
    names.splice(0, names.length, ...names.flatMap((name) => [...characters].map((one) => name + one)));
  return names;
}

describe("the names in an archive", () => {
  it("are numbered in order where several become one", () => {
    expect(archiveNames(["a?.py", "a*.py", "A_.py", "a_ (2).py", "a<.py"])).toEqual([
      "a_.py",
      "a_ (2).py",
      "A_ (3).py",
      "a_ (2) (2).py",
      "a_ (4).py",
    ]);
  });

  // Each of 10,000 that looks at all before it takes over a minute of the processor; this takes a tenth of a second.
  it.each([
    ["short ones that become one", spelled('<>:"|?*', 5).slice(0, 10_000)],
    [
      "long ones that become one where they are cut",
      spelled("aA", 6).flatMap((end) => spelled("bB", 6).map((mark) => `${"x".repeat(240)}${mark}${end}`)),
    ],
  ])("are each used once, for thousands of %s, without long work", (_, names) => {
    const before = process.cpuUsage();
    const given = archiveNames(names);
    expect(new Set(given.map((name) => name.toLowerCase())).size).toBe(names.length);
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(10_000);
  });
});
