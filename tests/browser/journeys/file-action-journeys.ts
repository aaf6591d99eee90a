import { expect } from "vitest";
import { formJourney, type JavaScript, openFileMenu, saveFiles, signIn } from "#tests/browser/stage.ts";

export function fileActionJourneys(javaScript: JavaScript): void {
  formJourney("a file is starred, pinned, described, deleted and restored", javaScript, async ({ page }) => {
    const name = `care-${javaScript}.py`;
    await signIn(page, "Local administrator");
    await saveFiles(page, { name, text: "print('care')\n" });

    await page.getByRole("button", { name: /^Add .* to favourites$/ }).click();
    await page.getByRole("button", { name: /^Remove .* from favourites$/ }).waitFor();
    await page.getByRole("button", { name: /^Pin / }).click();
    await page.getByRole("button", { name: /^Unpin / }).waitFor();
    await page.locator("summary", { hasText: "Details" }).click();
    await page.getByLabel("Description").fill("Well kept");
    await page.getByLabel("Tags", { exact: true }).last().fill("one, two");
    await page.getByRole("button", { name: "Save details" }).click();
    await page.locator(".file-head").getByText("Well kept").first().waitFor();

    await page.goto("/files?category=pinned");
    await page.getByRole("link", { name, exact: true }).click();
    await openFileMenu(page);
    await page.getByRole("button", { name: "Duplicate" }).click();
    await page.getByRole("heading", { name: name.replace(".", " (2).") }).waitFor();
    await page.getByRole("button", { name: "Undo" }).waitFor();
    await openFileMenu(page);
    await page.getByRole("link", { name: "Rename" }).click();
    const field = page.getByLabel("File name");
    expect(await field.evaluate((input) => input === input.ownerDocument.activeElement)).toBe(true);
    await field.fill(name.replace(".", " copy."));
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: name.replace(".", " copy.") }).waitFor();
    await openFileMenu(page);
    await page.getByRole("link", { name: "Remind me" }).click();
    await page.getByRole("heading", { name: "Set reminder" }).waitFor();
    await page.goto(`/notes?q=${encodeURIComponent(name.replace(".", " copy."))}`);
    expect(await page.locator("[data-note]").count(), "a look at the form makes no note").toBe(0);
    await page.goBack();
    await page.getByRole("button", { name: /^In 1 hour/ }).click();
    await page.getByRole("heading", { level: 1, name: name.replace(".", " copy.") }).waitFor();
    await openFileMenu(page);
    await page.getByRole("link", { name: "Remind me" }).click();
    await page.getByRole("button", { name: "Done" }).waitFor();
    await page.goto("/files?category=pinned");
    await page.getByRole("link", { name, exact: true }).click();
    await openFileMenu(page);
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.waitForURL("**/files");
    expect(await page.getByRole("link", { name, exact: true }).count()).toBe(0);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("link", { name, exact: true }).waitFor();
    const row = page.getByRole("listitem").filter({ hasText: name });
    await row.getByRole("button", { name: /^Unpin / }).click();
    await row.getByRole("button", { name: /^Pin / }).waitFor();
  });

  formJourney(
    "a sample library is tagged, zipped, deleted and emptied away",
    javaScript,
    async ({ page, drawn }) => {
      await signIn(page, "Local reader", "/dashboard");
      await page.getByRole("button", { name: "Add sample files" }).click();
      await page.getByRole("heading", { name: "Welcome to your library" }).waitFor();
      await page.goto("/dashboard");
      await page.getByRole("heading", { name: "Languages" }).waitFor();
      await page.getByRole("img", { name: /11 new files/ }).waitFor();

      await page.goto("/files");
      const boxes = page.getByRole("checkbox", { name: /^Select / });
      expect(await boxes.count()).toBe(11);
      for (const name of ["retry.py", "backup.sh"])
        await page.getByRole("checkbox", { name: new RegExp(`^Select .*${name}`) }).check();
      await page.getByLabel("Tags to add").fill("kept");
      await page.getByLabel("Tags to add").press("Enter");
      expect(await page.getByRole("status").textContent()).toContain("Tagged 2 files");
      expect(await page.locator(".tag", { hasText: /^kept$/ }).count()).toBeGreaterThanOrEqual(2);

      await boxes.first().check();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Download as zip" }).click(),
      ]);
      expect(download.suggestedFilename()).toMatch(/^codeshelf-.*\.zip$/);

      await page.goto("/files");
      for (const box of await boxes.all()) await box.check();
      await page.getByRole("button", { name: "Delete", exact: true }).click();
      await page.getByText("Moved 11 files to trash").waitFor();
      await page.goto("/trash");
      const row = page.getByRole("listitem").filter({ hasText: "retry.py" });
      await row.getByRole("button", { name: "Restore" }).click();
      await page.getByText(/Restored .*retry\.py/).waitFor();
      await page.goto("/files");
      await boxes.first().check();
      await page.getByRole("button", { name: "Delete", exact: true }).click();
      await page.goto("/trash");
      const deleteNow = page.locator("summary", { hasText: "Delete now" });
      const trashed = await deleteNow.count();
      // The second half of a double click must not press what appears under the pointer.
      await drawn?.locator("summary", { hasText: "Delete now" }).first().dblclick();
      expect(await deleteNow.count()).toBe(trashed);
      await deleteNow.first().click();
      await page.getByRole("button", { name: "Delete forever" }).click();
      await page.getByText("Deleted forever", { exact: true }).waitFor();
      await page.locator("summary", { hasText: "Empty trash" }).click();
      await page.getByRole("button", { name: "Delete 10 files forever" }).click();
      await page.getByRole("heading", { name: "Trash is empty" }).waitFor();
    },
  );
}
