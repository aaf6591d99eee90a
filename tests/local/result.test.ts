import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findBrowser } from "#tests/support/programs/find-browser.ts";
import { countTests } from "#tests/support/test-runs/result.ts";
import { temporaryDirectory } from "#tests/support/test-runs/temporary-directory.ts";

const file = (status: string, ...tests: string[]) => ({
  name: "a.test.ts",
  startTime: 0,
  endTime: 1,
  status,
  assertionResults: tests.map((test) => ({ status: test })),
});

describe("the closing line counts", () => {
  it("what passed and what failed", () => {
    const testResults = [file("passed", "passed", "passed"), file("failed", "passed", "failed")];

    expect(countTests({ success: false, numPassedTests: 3, numFailedTests: 1, testResults })).toEqual({
      passed: 3,
      failed: 1,
    });
  });

  it("a file that could not be read as failed", () => {
    const testResults = [file("passed", "passed"), file("failed")];

    expect(countTests({ success: false, numPassedTests: 1, numFailedTests: 0, testResults })).toEqual({
      passed: 1,
      failed: 1,
    });
  });

  it("a run without a report, or with an error outside of all tests, as failed", () => {
    expect(countTests(null)).toEqual({ passed: 0, failed: 1 });
    const testResults = [file("passed", "passed")];
    expect(countTests({ success: false, numPassedTests: 1, numFailedTests: 0, testResults })).toEqual({
      passed: 1,
      failed: 1,
    });
  });
});

describe("the browser", () => {
  async function program(name: string, exitCode: number): Promise<string> {
    const path = join(await temporaryDirectory("browser"), name);
    writeFileSync(path, `#!/bin/sh\nexit ${exitCode}\n`, { mode: 0o755 });
    return path;
  }

  it("is the one that CHROMIUM_PATH names", async () => {
    const path = await program("chromium", 0);

    expect(findBrowser({ CHROMIUM_PATH: path }, () => {})).toBe(path);
  });

  it("is never silently another one than CHROMIUM_PATH names", async () => {
    const path = await program("chromium", 1);

    expect(() => findBrowser({ CHROMIUM_PATH: path }, () => {})).toThrow("which does not run");
  });

  it("is the first that runs", async () => {
    const [broken, sound] = [await program("broken", 1), await program("sound", 0)];
    const ways = ["/nowhere", broken, sound].map((path) => ({ name: path, find: () => path }));

    expect(findBrowser({}, () => {}, ways)).toBe(sound);
  });

  it("is an error where there is none, naming what was tried", () => {
    const ways = [{ name: "nowhere", find: () => undefined }];

    expect(() => findBrowser({}, () => {}, ways)).toThrow("none was found (tried: nowhere)");
  });
});
