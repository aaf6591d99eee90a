import { existsSync, readdirSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, vi } from "vitest";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { needsEngine } from "#tests/support/databases/server-needs.ts";
import { startOwnWeb } from "#tests/support/product/own-web.ts";
import { itDrawn } from "#tests/support/test-runs/full-run.ts";
import { temporaryDirectory } from "#tests/support/test-runs/temporary-directory.ts";
import { refusal } from "#tests/support/web.ts";

needsEngine("it fills the disk of its data");

const DISK_BYTES = 160 * 1024 * 1024;
const PROGRAM = join(PROJECT_ROOT, "tests", "support", "databases", "small-disk-engine.ts");

/** Fills the disk to the last byte, as another program might. */
function fillDisk(directory: string): string {
  const sizes = readdirSync(directory).map((name) => statSync(join(directory, name)).size);
  const filling = join(directory, "filling");
  writeFileSync(filling, "");
  truncateSync(filling, DISK_BYTES - sizes.reduce((sum, size) => sum + size, 0));
  return filling;
}

itDrawn("a full disk", 3)(
  "on a full disk people log in, delete and empty the trash; saving says that it is full, and works again with room",
  async () => {
    process.env.DISK_BYTES = String(DISK_BYTES);
    onTestFinished(() => void delete process.env.DISK_BYTES);
    const directory = await temporaryDirectory("disk");
    const { admin, token, url, visitor } = await startOwnWeb({ directory, program: PROGRAM });
    const [kept, deleted] = [await admin.saveFile("kept.txt"), await admin.saveFile("deleted.txt")];
    const until = { timeout: 30_000, interval: 50 };
    const readStore = async () => (await admin.readJson("/readyz")).checks.mongodb;
    const isReserved = () => existsSync(join(directory, "reserve"));
    const save = () => admin.send("PUT", "/api/files/new.txt", "new");
    expect(await readStore()).toBe("ok");
    await vi.waitFor(() => expect(isReserved()).toBe(true), until);

    const filling = fillDisk(directory);
    await vi.waitFor(async () => expect(await readStore()).toBe("disk_full"), until);

    expect(isReserved()).toBe(false);
    const message = expect.stringContaining("The disk is full");
    expect(await save()).toMatchObject(refusal(507, "disk_full", { message }));
    for (const [locale, said] of Object.entries({ en: "The disk is full", he: "הדיסק מלא" })) {
      const body = new URLSearchParams({ file_name: "new.txt", text: "new" });
      const page = await admin.page("/upload", {
        method: "POST",
        body,
        headers: { "Accept-Language": locale },
      });
      expect(page.status).toBe(507);
      expect(await page.text()).toContain(said);
    }
    const byDav = await fetch(`${url}/dav/new.txt`, {
      method: "PUT",
      headers: { Authorization: `Bearer ${token}` },
      body: "new",
    });
    expect(byDav.status).toBe(507);
    const someone = await visitor().logIn("901");
    expect(await someone.page("/files")).toMatchObject({ status: 200 });
    expect(await admin.read("/files")).toContain("kept.txt");
    expect(await admin.send("POST", "/api/files/bulk-delete", { file_ids: [deleted] })).toMatchObject({
      status: 200,
    });
    expect((await admin.submit("/files/actions", { intent: "empty" })).status).toBe(303);
    expect(await admin.read("/trash")).not.toContain("deleted.txt");
    expect(await admin.send("GET", `/api/file/${kept}`)).toMatchObject({ status: 200 });

    await rm(filling);
    await vi.waitFor(async () => expect(await readStore()).toBe("ok"), until);
    expect(await save()).toMatchObject({ status: 201 });
    await vi.waitFor(() => expect(isReserved()).toBe(true), until);
  },
  120_000,
);
