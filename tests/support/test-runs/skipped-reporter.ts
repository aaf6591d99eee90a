/** Lists at the end of a run the tests that lacked something, by file and reason. Tests that `-t` excludes have no reason. */
import { relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";
import { PROJECT_ROOT } from "#platform/project-root.ts";

export default class SkippedReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const lines = modules.flatMap(listSkipped).sort();
    if (lines.length > 0) console.log(["Skipped:", ...lines].join("\n  "));
  }
}

function listSkipped(module: TestModule): string[] {
  const counts = new Map<string, number>();
  for (const test of module.children.allTests("skipped")) {
    const result = test.result();
    const reason = result.state === "skipped" ? result.note : undefined;
    if (reason) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const file = relative(PROJECT_ROOT, module.moduleId);
  return [...counts].map(
    ([reason, count]) => `${file}: ${count} ${count === 1 ? "test" : "tests"}, ${reason}`,
  );
}
