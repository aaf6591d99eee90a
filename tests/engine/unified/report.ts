/** What a run found, for a person: failures one by one, what is not applicable by reason, the sum last. */
import type { Judged } from "./suite.ts";

export function report(judged: Judged[]): string {
  const failed = judged.filter(({ outcome }) => outcome === "failed");
  const passed = judged.filter(({ outcome }) => outcome === "passed");
  const aside = judged.filter(({ outcome }) => outcome === "not applicable");
  return [
    ...failed.map((one) => `failed: ${one.file} › ${one.test}\n    ${reasonOf(one)}`),
    `${aside.length} not applicable`,
    ...byReason(aside).map(([reason, count]) => `${String(count).padStart(6)}  ${reason}`),
    "",
    `${passed.length} passed, ${failed.length} failed`,
  ].join("\n");
}

function byReason(aside: Judged[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const one of aside) counts.set(reasonOf(one), (counts.get(reasonOf(one)) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}

function reasonOf(one: Judged): string {
  return "reason" in one ? one.reason : "";
}
