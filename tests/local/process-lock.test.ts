import { readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { itemAt } from "#domain/required.ts";
import { isAlive, processStart, takeLock } from "#platform/install/process-lock.mjs";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { ended, readIdentity, run } from "#tests/support/programs/running.ts";
import { temporaryDirectory } from "#tests/support/test-runs/temporary-directory.ts";

const lockModule = pathToFileURL(join(PROJECT_ROOT, "platform", "install", "process-lock.mjs")).href;

/** A process that tries to take the lock, prints the outcome, and stays alive. */
function contender(path: string) {
  const script = `
    import { takeLock } from ${JSON.stringify(lockModule)};
    const lock = takeLock(process.argv[1]);
    console.log(lock.owner ? "refused by " + lock.owner.pid : "taken");
    setInterval(() => {}, 1e9);`;
  return run(process.execPath, ["--input-type=module", "-e", script, path]);
}

describe("a lock between processes", () => {
  it("is refused while its owner lives, naming the owner", async () => {
    const path = join(await temporaryDirectory(), "lock");
    const owner = contender(path);
    await owner.line(/^taken$/);

    const attempt = takeLock(path);

    expect(attempt.owner?.pid).toBe(owner.pid);
  });

  it("is free again after its release and leaves nothing behind", async () => {
    const directory = await temporaryDirectory();
    const first = takeLock(join(directory, "lock"));
    first.release?.();
    expect(readdirSync(directory)).toEqual([]);

    const second = takeLock(join(directory, "lock"));

    expect(second.owner).toBeUndefined();
  });

  it("passes from a killed owner to exactly one of many that want it", async () => {
    const path = join(await temporaryDirectory(), "lock");
    const owner = contender(path);
    await owner.line(/^taken$/);
    owner.child.kill("SIGKILL");
    await owner.exit;

    const wanting = Array.from({ length: 6 }, () => contender(path));
    const outcomes = await Promise.all(wanting.map((process) => process.line(/^(taken|refused by \d+)$/)));

    const winner = itemAt(
      wanting,
      outcomes.findIndex(([line]) => line === "taken"),
    );
    expect(outcomes.map(([line]) => line).sort()).toEqual([
      ...Array.from({ length: 5 }, () => `refused by ${winner.pid}`),
      "taken",
    ]);
  });

  it("passes on even if the next owner was killed as well", async () => {
    const directory = await temporaryDirectory();
    const path = join(directory, "lock");
    for (const _ of [1, 2, 3]) {
      const owner = contender(path);
      await owner.line(/^taken$/);
      owner.child.kill("SIGKILL");
      await owner.exit;
    }

    const lock = takeLock(path);

    expect(lock.owner).toBeUndefined();
    lock.release?.();
    expect(readdirSync(directory)).toEqual([]);
  });

  it("does not mistake a later process with the owner's pid for the owner", async () => {
    const path = join(await temporaryDirectory(), "lock");
    symlinkSync(`${process.pid} another-boot.1 token`, path);

    const lock = takeLock(path);

    expect(lock.owner).toBeUndefined();
    lock.release?.();
  });
});

it("the identity of a process ends with it, even before its parent has collected it", async () => {
  const parent = run("/bin/sh", ["-c", "tail -f /dev/null & echo $!; exec tail -f /dev/null"]);
  const [pid] = await parent.line(/^\d+$/);
  const identity = readIdentity(Number(pid));
  expect(isAlive(identity)).toBe(true);

  process.kill(identity.pid, "SIGKILL");

  await ended(identity);
  expect(processStart(identity.pid)).toBeNull();
});
