import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { killInTurn } from "#tests/crash/kills.ts";
import { PROCESS_NAMES } from "#tests/crash/processes.ts";
import { type Stage, startStage } from "#tests/crash/stage.ts";
import { writeOn } from "#tests/crash/writer.ts";
import { drawCases } from "#tests/support/test-runs/tier.ts";

const BACK_WITHIN_MS = 120_000;
let stage: Stage;

beforeAll(async () => {
  stage = await startStage();
}, 180_000);
afterAll(() => stage?.product.stop(), 60_000);

/** While a process is dead, people get an error page or no answer, and never internals of the product. */
async function seePage(): Promise<void> {
  const { url, cookie } = stage.caller;
  const headers = { Accept: "text/html", Cookie: cookie };
  const page = await fetch(`${url}/files`, { headers }).catch(() => undefined);
  if (!page) return;
  expect([200, 503]).toContain(page.status);
  expect(page.headers.get("Content-Type")).toContain("text/html");
  expect(await page.text().catch(() => "")).not.toMatch(/at .*\.(ts|js):\d/);
}

/** The fields of an event in a line of the log; null for another line. */
function readEvent(line: string): { event?: string; request_id?: string | null } | null {
  try {
    return JSON.parse(line.replace(/^\w+ +\| /, ""));
  } catch {
    return null;
  }
}

it("logs at a first start that the trash has no index yet, with the id of its request, and the alert has ended since", async () => {
  const events = stage.product.lines.map(readEvent);
  const alerts = await stage.inStore((db) => db.alerts.find({ name: "ttl_index_missing" }).toArray());

  expect(events.find((line) => line?.event === "db_recycle_bin_ttl_index_missing")?.request_id).toMatch(
    /^\w+$/,
  );
  expect(alerts).toMatchObject([{ status: "resolved" }]);
});

// Processes are found in /proc.
describe.runIf(process.platform === "linux")("kill -9 of processes of the running product", () => {
  it("loses nothing that was acknowledged, leaves nothing half done, and the product recovers by itself each time", {
    timeout: 8 * BACK_WITHIN_MS,
  }, async () => {
    const writing = writeOn(await stage.writers(2), 10);
    const names = drawCases("killed processes", PROCESS_NAMES, 1);
    const { caller, product } = stage;

    const kills = await killInTurn({
      caller,
      launcherPid: product.pid,
      names,
      sameEveryMs: 0,
      meanwhile: seePage,
    });
    const account = await stage.inStore((db) => writing.finish(db));

    expect(kills.map(({ name }) => name)).toEqual(names);
    expect(account.wrong).toEqual([]);
    expect(account.acknowledged).toBeGreaterThan(names.length);
  });
});
