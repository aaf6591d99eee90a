import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, lstatSync, readdirSync, rmSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findPostgresBinaries, packageDirectory } from "#db/local/postgres/postgres-binaries.ts";
import { itemAt } from "#domain/required.ts";
import { itDrawn } from "#tests/support/test-runs/full-run.ts";
import { temporaryDirectory } from "#tests/support/test-runs/temporary-directory.ts";
import { isFullRun } from "#tests/support/test-runs/tier.ts";

const NOBODY = { uid: 65534, gid: 65534 };
const asRoot = process.getuid?.() === 0;

/** The package as npm unpacks it without install scripts: without a single symbolic link. */
async function unpackedIn(directory: string): Promise<string> {
  const installed = join(directory, "package");
  const withoutLinks = (source: string) => !lstatSync(source).isSymbolicLink();
  cpSync(packageDirectory(), installed, { recursive: true, filter: withoutLinks });
  return installed;
}

itDrawn("symbolic links", 3)("makes the symbolic links that the package could not carry", async () => {
  const directory = await temporaryDirectory("binaries");
  const installed = await unpackedIn(directory);
  const program = join(installed, "native", "bin", "postgres");
  expect(() => execFileSync(program, ["--version"], { stdio: "ignore" })).toThrow();

  const { postgres } = await findPostgresBinaries(null, installed, []);

  expect(postgres).toBe(program);
  expect(execFileSync(postgres, ["--version"], { encoding: "utf8" })).toContain("(PostgreSQL) 18");
});

it.runIf(asRoot && isFullRun)(
  "copies the programs where the server's user can reach them, once",
  async () => {
    const directory = await temporaryDirectory("binaries");
    const installed = await unpackedIn(directory);
    const base = join(directory, "reachable");
    await mkdir(base);
    // The test's own directory is private; this opens only the way to the copy.
    chmodSync(directory, 0o711);
    chmodSync(installed, 0o700);

    const { postgres } = await findPostgresBinaries(NOBODY, installed, [join(directory, "missing"), base]);

    expect(postgres.startsWith(base)).toBe(true);
    expect(execFileSync(postgres, ["--version"], { encoding: "utf8", cwd: "/", ...NOBODY })).toContain(
      "(PostgreSQL) 18",
    );
    const inode = statSync(postgres).ino;
    const again = await findPostgresBinaries(NOBODY, installed, [base]);
    expect(statSync(again.postgres).ino).toBe(inode);

    rmSync(join(postgres, "..", "..", "share"), { recursive: true });
    const repaired = await findPostgresBinaries(NOBODY, installed, [base]);
    expect(readdirSync(join(repaired.postgres, "..", "..", "share"))).not.toEqual([]);
    expect(readdirSync(base)).toHaveLength(1);
  },
);

it.runIf(asRoot && isFullRun)("does not trust a copy that others can write to", async () => {
  const directory = await temporaryDirectory("binaries");
  const installed = await unpackedIn(directory);
  const base = join(directory, "reachable");
  await mkdir(base);
  chmodSync(directory, 0o711);
  chmodSync(installed, 0o700);
  await findPostgresBinaries(NOBODY, installed, [base]);
  chmodSync(join(base, itemAt(readdirSync(base), 0)), 0o777);

  const search = findPostgresBinaries(NOBODY, installed, [base]);

  await expect(search).rejects.toThrow("cannot be run by user 65534");
});
