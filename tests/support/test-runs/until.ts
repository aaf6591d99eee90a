import { setTimeout as pause } from "node:timers/promises";

const BETWEEN_MS = 50;

/** Waits for a condition without a test runner, in commands that share steps with tests. */
export async function until(isSo: () => Promise<boolean>, timeoutMs: number): Promise<void> {
  const endsAtMs = performance.now() + timeoutMs;
  while (!(await isSo())) {
    if (performance.now() > endsAtMs) throw new Error(`not within ${timeoutMs} ms: ${isSo}`);
    await pause(BETWEEN_MS);
  }
}
