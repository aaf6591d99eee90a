import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { expect } from "vitest";
import { formJourney, journey, openMenu, signIn } from "#tests/browser/stage.ts";

/** Everything except dropping a folder works without JavaScript and is walked without it. */
export function folderJourneys(): void {
  formJourney("a folder is made, saved into, and filled from the list", "off", async ({ page }) => {
    await signIn(page, "Local administrator");
    await page.request.put("/api/files/journey-loose.py", { data: "1\n" });
    await page.goto("/files");
    await openMenu(page, "New folder");
    await page.getByLabel("Folder name", { exact: true }).fill("journey");
    await page.getByRole("button", { name: "Create folder" }).click();
    await page.getByRole("navigation", { name: "Folders" }).getByRole("link", { name: "journey" }).click();

    await page.getByRole("heading", { name: "This folder is empty" }).waitFor();
    await page.locator("main").getByRole("link", { name: "New file here" }).first().click();
    await page.getByLabel("File name").fill("saved.md");
    await page.locator("textarea[name=text]").fill("words");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("heading", { name: "saved.md" }).waitFor();
    await page
      .getByRole("navigation", { name: "Folder path" })
      .getByRole("link", { name: "journey" })
      .click();
    await page.getByRole("link", { name: "saved.md", exact: true }).waitFor();

    await page.getByRole("link", { name: "All files" }).first().click();
    await page.getByLabel(/^Select .*journey-loose\.py/).check();
    await page.getByLabel("Move to folder").selectOption({ label: "journey" });
    await page.getByRole("button", { name: "Move", exact: true }).click();
    expect(await page.getByRole("status").textContent()).toContain("Moved 1 file to");
    await page.getByRole("link", { name: "journey-loose.py", exact: true }).click();
    const trail = page.getByRole("navigation", { name: "Folder path" });
    await trail.getByRole("link", { name: "journey" }).click();
    await page.getByRole("link", { name: "saved.md", exact: true }).waitFor();
  });
}

export function folderEnhancements(): void {
  journey("a dropped folder keeps its paths, says what it left out, and is undone", async ({ page }) => {
    const root = await mkdtemp(join(tmpdir(), "dropped-"));
    const name = basename(root);
    const files = {
      ...{ "src/a.py": "print(1)\n", "about.md": "# hi\n", "src/b.bin": "\0" },
      ...{ ".git/HEAD": "x\n", "src/.env": "KEY=1\n" },
    };
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, name, path)), { recursive: true });
      await writeFile(join(root, name, path), text);
    }
    await signIn(page, "Local administrator", "/files");
    const devtools = await page.context().newCDPSession(page);
    const data = { items: [], files: [join(root, name)], dragOperationsMask: 1 };
    const drop = async () => {
      for (const type of ["dragEnter", "dragOver", "drop"] as const)
        await devtools.send("Input.dispatchDragEvent", { type, x: 640, y: 500, data });
    };
    await drop();

    const panel = page.getByRole("region", { name: "Upload folder" });
    await panel.getByText("Not uploaded: 1").waitFor();
    await panel.getByRole("button", { name: "Close" }).waitFor();
    const panelText = await panel.textContent();
    expect(panelText).toMatch(
      /New: 2Skipped: 1 \(\.git\)Left out, may hold secrets: 1\..*src\/\.env.*src\/b\.bin/,
    );
    const [card, row] = [panel, page.getByRole("link", { name: "about.md", exact: true })];
    expect((await row.boundingBox())!.y).toBeGreaterThan((await card.boundingBox())!.y);
    expect(await (await page.request.get(`/api/files/${name}/src/a.py`)).text()).toBe("print(1)\n");
    await panel.getByRole("button", { name: "Undo" }).click();
    await panel.getByText("Undone").waitFor();
    expect((await page.request.get(`/api/files/${name}/src/a.py`)).status()).toBe(404);
    expect(await row.count()).toBe(0);

    const put = (text: string) => page.request.put(`/api/files/${name}/src/a.py`, { data: text });
    await put("edited here\n");
    await page.goto("/files");
    await drop();
    await panel.getByText("New versions: 1").waitFor();
    await panel.getByRole("link", { name: `${name}/src/a.py` }).waitFor();
    expect(await (await page.request.get(`/api/files/${name}/src/a.py`)).text()).toBe("print(1)\n");
    await panel.getByRole("button", { name: "Undo" }).click();
    await panel.getByText("Undone").waitFor();
    expect(await (await page.request.get(`/api/files/${name}/src/a.py`)).text()).toBe("edited here\n");

    // A page without the panel leads to the folder's list.
    await put("edited again\n");
    await page.goto("/dashboard");
    await drop();
    await page.waitForURL("**/files");
    await panel.getByText("New versions: 1").waitFor();
    expect(await (await page.request.get(`/api/files/${name}/src/a.py`)).text()).toBe("print(1)\n");
    await rm(root, { recursive: true });
  });
}
