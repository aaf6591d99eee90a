import { describe, expect, it } from "vitest";
import { ensureIndexes } from "#db/indexes/index-builds.ts";
import { itemAt, required } from "#domain/required.ts";
import { DAY_MS } from "#domain/time/durations.ts";
import { saveFile } from "#tests/support/files/save-file.ts";
import { openTestWeb, type Visitor } from "#tests/support/web.ts";

const web = await openTestWeb({
  RATE_LIMIT_WRITES_PER_MINUTE: "10000",
  RATE_LIMIT_REQUESTS_PER_MINUTE: "10000",
});
const dana = await web.visitor().logIn("40");
const noam = await web.visitor().logIn("41");
const ABSENT = "0".repeat(24);

const post = (visitor: Visitor, path: string) => visitor.ask(path, { method: "POST" });
const listed = async (visitor: Visitor): Promise<{ id: string; file_name: string; tags: string[] }[]> =>
  (await (await visitor.ask("/api/files?limit=100")).json()).files;
const findListed = async (visitor: Visitor, id: string) =>
  (await listed(visitor)).find((file) => file.id === id);

describe("deleting a file", () => {
  it("answers with its dates, hides it everywhere, and restoring brings it back untouched", async () => {
    const id = await saveFile(dana, "gone.py");
    const before = await findListed(dana, id);

    const response = await post(dana, `/api/file/${id}/trash`);

    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      ok: true,
      file_id: id,
      deleted_at: "2037-11-14T12:00:00.000+00:00",
      expires_at: "2037-12-14T12:00:00.000+00:00",
    });
    for (const path of [`/file/${id}`, `/download/${id}`]) expect((await dana.ask(path)).status).toBe(404);
    expect(await findListed(dana, id)).toBeUndefined();
    const restored = await post(dana, `/api/trash/${id}/restore`);
    expect([restored.status, await restored.json()]).toEqual([
      200,
      { ok: true, restored: 1, file_id: id, file_name: "gone.py" },
    ]);
    expect(await findListed(dana, id)).toEqual(before);
  });

  it("for good leaves nothing to restore", async () => {
    const id = await saveFile(dana, "purged.py");
    expect((await post(dana, `/api/trash/${id}/purge`)).status).toBe(404);
    await post(dana, `/api/file/${id}/trash`);
    const purged = await post(dana, `/api/trash/${id}/purge`);
    expect([purged.status, await purged.json()]).toEqual([200, { ok: true, deleted: 1, file_id: id }]);
    expect((await post(dana, `/api/trash/${id}/restore`)).status).toBe(404);
  });

  it("gives a restored file a number where its name lives again", async () => {
    const old = await saveFile(dana, "again.py", "old\n");
    await post(dana, `/api/file/${old}/trash`);
    await saveFile(dana, "again.py", "new\n");
    expect(await (await post(dana, `/api/trash/${old}/restore`)).json()).toMatchObject({
      file_name: "again (2).py",
    });
  });

  it.each([
    "file/:id/trash",
    "trash/:id/restore",
    "trash/:id/purge",
    "favorite/toggle/:id",
    "pin/toggle/:id",
  ])(
    "/api/%s is 404 for a foreign, a missing and a malformed id, 401 for nobody, 405 for a reading",
    async (path) => {
      const foreign = await saveFile(noam, `noams ${path.replaceAll("/", " ")}`);
      if (path.startsWith("trash/")) await post(noam, `/api/file/${foreign}/trash`);
      for (const id of [foreign, ABSENT, "nonsense"]) {
        const response = await post(dana, `/api/${path.replace(":id", id)}`);
        expect(response.status).toBe(404);
        expect(await response.json()).toMatchObject({ error: "File not found", file_id: id });
      }
      const address = `/api/${path.replace(":id", foreign)}`;
      expect((await post(web.visitor(), address)).status).toBe(401);
      const read = await noam.ask(address);
      expect([read.status, read.headers.get("Allow")]).toEqual([405, "POST"]);
      expect((await post(noam, address)).status).toBe(200);
    },
  );

  it("goes on to the list with a way back when a form asked", async () => {
    const id = await saveFile(dana, "by form.py");
    const response = await dana.submit(`/api/file/${id}/trash`, {});
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/files"]);
    expect(await (await dana.page("/files")).text()).toContain('value="undo"');
  });
});

describe("favourites and pins", () => {
  it("are toggled", async () => {
    const id = await saveFile(dana, "marked.py");
    for (const is_favorite of [true, false])
      expect(await (await post(dana, `/api/favorite/toggle/${id}`)).json()).toEqual({
        ok: true,
        file_id: id,
        is_favorite,
      });
    for (const is_pinned of [true, false])
      expect(await (await post(dana, `/api/pin/toggle/${id}`)).json()).toEqual({
        ok: true,
        file_id: id,
        is_pinned,
      });
  });

  it("are eight pins at most, however many are asked for at once", async () => {
    const tamar = await web.visitor().logIn("42");
    const ids: string[] = [];
    for (let i = 0; i < 12; i += 1) ids.push(await saveFile(tamar, `${i}.py`));

    const answers = await Promise.all(ids.map((id) => post(tamar, `/api/pin/toggle/${id}`)));

    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array(8).fill(200),
      ...Array(4).fill(409),
    ]);
    const refused = required(answers.find(({ status }) => status === 409));
    expect(await refused.json()).toMatchObject({ error: "pin_limit", max: 8 });
    expect(await web.db.files.countDocuments({ user_id: "42", is_pinned: true })).toBe(8);

    const pinned = ids[answers.findIndex(({ status }) => status === 200)];
    const waiting = ids[answers.findIndex(({ status }) => status === 409)];
    await post(tamar, `/api/pin/toggle/${pinned}`);
    expect((await post(tamar, `/api/pin/toggle/${waiting}`)).status).toBe(200);
  });
});

describe("the form of looking after files", () => {
  const send = (fields: [string, string][], visitor = dana) => {
    const form = new FormData();
    for (const [name, value] of fields) form.append(name, value);
    return visitor.submit("/files/actions", form);
  };
  const said = async (visitor = dana) =>
    /class="notice[^>]*>.*?<p>(.*?)<\/p>/s.exec(await (await visitor.page("/trash")).text())?.[1];

  it("stars, tags, deletes and takes back the chosen rows, and returns to where it was", async () => {
    const ids = [await saveFile(dana, "row1.py"), await saveFile(dana, "row2.py")];
    const rows = ids.map((id): [string, string] => ["file_ids", id]);

    const starred = await send([["intent", "favorite"], ["next", "/files?lang=python"], ...rows]);
    expect([starred.status, starred.headers.get("Location")]).toEqual([303, "/files?lang=python"]);
    expect(await said()).toBe("Added 2 files to favourites");
    await send([["intent", "tag"], ["tags", "#one, two"], ...rows]);
    expect(await findListed(dana, itemAt(ids, 1))).toMatchObject({ tags: ["one", "two"], is_favorite: true });
    await send([["intent", "delete"], ...rows]);
    const page = await (await dana.page("/trash")).text();
    expect(page).toContain("Moved 2 files to trash");
    expect(page).toContain("row1.py");
    const at = required(required(/name="at" value="(\d+)"/.exec(page))[1]);
    await send([
      ["intent", "undo"],
      ["at", at],
    ]);
    expect(await said()).toMatch(/^Restored \d+ files$/);
    expect(await findListed(dana, itemAt(ids, 0))).toBeDefined();
  });

  it.each([
    ["nothing is chosen", [["intent", "favorite"]], "Choose a file"],
    [
      "a file is missing",
      [
        ["intent", "delete"],
        ["file_ids", ABSENT],
      ],
      "no longer exist",
    ],
    [
      "no tag is typed",
      [
        ["intent", "tag"],
        ["tags", " , "],
        ["file_ids", ABSENT],
      ],
      "at least one tag",
    ],
    ["the intent is unknown", [["intent", "toString"]], "is not valid"],
  ] as [string, [string, string][], string][])("says why when %s", async (_, fields, words) => {
    expect((await send(fields)).status).toBe(303);
    expect(await said()).toContain(words);
  });

  it("never leads to another site", async () => {
    const response = await send([
      ["intent", "favorite"],
      ["next", "https://evil.example/"],
    ]);
    expect(response.headers.get("Location")).toBe("/files");
  });

  it("answers a script in JSON, and refuses whoever is not logged in", async () => {
    const body = new URLSearchParams({ intent: "favorite" });
    const refused = await dana.ask("/files/actions", { method: "POST", body });
    expect([refused.status, (await refused.json()).code]).toEqual([400, "no_files"]);
    expect((await web.visitor().ask("/files/actions", { method: "POST", body })).status).toBe(401);
    const late = await send([["intent", "favorite"]], web.visitor());
    expect(late.status).toBe(401);
    expect((await dana.page("/files/actions")).headers.get("Location")).toBe("/files");
  });

  it("edits description and tags on the page of a file, within their limits", async () => {
    const id = await saveFile(dana, "described.py");
    await send([
      ["intent", `describe:${id}`],
      ["description", " What it does "],
      ["tags", "a, b"],
    ]);
    expect(await findListed(dana, id)).toMatchObject({ description: "What it does", tags: ["a", "b"] });
    expect(await said()).toBe("Details saved");
    await send([
      ["intent", `describe:${id}`],
      ["description", "x".repeat(501)],
      ["tags", ""],
    ]);
    expect(await said()).toContain("The limit is 500 characters");
    await send([
      ["intent", `describe:${id}`],
      ["description", ""],
      ["tags", "t".repeat(51)],
    ]);
    expect(await said()).toContain("Use up to 20 tags");
    expect(await findListed(dana, id)).toMatchObject({ description: "What it does", tags: ["a", "b"] });
    await send(
      [
        ["intent", `describe:${id}`],
        ["description", ""],
        ["tags", ""],
      ],
      noam,
    );
    expect(await said(noam)).toContain("doesn’t exist");
  });

  it("gives all that was typed about a file back, and marks the field that was refused", async () => {
    const id = await saveFile(dana, "typed-about.py");
    await send([
      ["intent", `describe:${id}`],
      ["file_name", "new-name.py"],
      ["description", "x".repeat(501)],
      ["tags", "kept, too"],
    ]);
    const page = await (await dana.page(`/file/${id}`)).text();
    for (const typed of ["new-name.py", "x".repeat(501), "kept, too"])
      expect(page).toContain(`value="${typed}"`);
    const invalid = [...page.matchAll(/<input[^>]*aria-invalid="true"[^>]*>/g)].map(String);
    expect(invalid).toHaveLength(1);
    expect(invalid[0]).toMatch(/name="description".*autofocus/);
  });

  it("keeps the chosen rows and what was typed below them when it is refused", async () => {
    const [chosen, other] = [await saveFile(dana, "chosen-row.py"), await saveFile(dana, "other-row.py")];
    await send([
      ["intent", "tag"],
      ["tags", "t".repeat(51)],
      ["folder", ""],
      ["file_ids", chosen],
    ]);
    const page = await (await dana.page("/files")).text();
    const isChecked = (id: string) => new RegExp(`<input[^>]*checked=""[^>]*value="${id}"`).test(page);
    expect([isChecked(chosen), isChecked(other)]).toEqual([true, false]);
    expect(page).toMatch(new RegExp(`<input[^>]*name="tags"[^>]*value="${"t".repeat(51)}"`));
  });

  it("renames by the form about a file without a new version, keeps a refused name, and is undone", async () => {
    const id = await saveFile(dana, "first-name.py");
    await saveFile(dana, "taken-name.py");
    const describe = (file_name: string) =>
      send([
        ["intent", `describe:${id}`],
        ["file_name", file_name],
        ["description", "told"],
        ["tags", "a"],
        ["next", `/file/${id}`],
      ]);

    await describe("second-name.py");
    expect(await findListed(dana, id)).toMatchObject({ file_name: "second-name.py", version: 1 });
    const page = await (await dana.page(`/file/${id}`)).text();
    const undo = page.slice(page.indexOf('class="notice"'), page.indexOf("data-toast-close"));
    const fields = [...undo.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(
      ([, name = "", value = ""]): [string, string] => [name, value],
    );
    expect(fields).toContainEqual(["file_name", "first-name.py"]);
    await send(fields);
    expect(await findListed(dana, id)).toMatchObject({
      file_name: "first-name.py",
      description: "",
      version: 1,
    });

    await describe("taken-name.py");
    const refused = await (await dana.page(`/file/${id}`)).text();
    expect(refused).toMatch(/<details name="file-panel" open="">/);
    expect(refused).toMatch(/name="file_name"[^>]*value="taken-name.py"/);
  });

  it("leads to the form about a file by Rename and Move in the menu", async () => {
    const id = await saveFile(dana, "menu.py");
    const page = await (await dana.page(`/file/${id}`)).text();
    expect(page).toContain(`href="/file/${id}?details=name"`);
    const opened = await (await dana.page(`/file/${id}?details=name`)).text();
    expect(opened).toMatch(/<details name="file-panel" open="">/);
    expect(opened).toMatch(/name="next" value="\/file\/\w+"\/?>\s*<div class="field"><label for="file_name"/);
  });
});

describe("the trash", () => {
  it("shows names, both dates and the ways out, to its owner alone, and can be emptied", async () => {
    const rina = await web.visitor().logIn("43");
    expect(await (await rina.page("/trash")).text()).toContain("Trash is empty");
    const id = await saveFile(rina, "פתק <b>.md");
    await post(rina, `/api/file/${id}/trash`);

    const html = await (await rina.page("/trash")).text();

    expect(html).toContain("פתק &lt;b&gt;.md");
    expect(html).toContain('dateTime="2037-11-14T12:00:00.000Z"');
    expect(html).toContain("Dec 14, 2037");
    for (const intent of [`restore:${id}`, `purge:${id}`, "empty"])
      expect(html).toContain(`value="${intent}"`);
    expect(html).not.toContain("not being deleted");
    expect(await (await noam.page("/trash")).text()).not.toContain("פתק");
    await rina.submit("/files/actions", { intent: "empty", next: "/trash" });
    expect(await (await rina.page("/trash")).text()).toContain("Trash is empty");
    expect(await web.db.files.countDocuments({ user_id: "43" })).toBe(0);
  });

  it("has a file that its owner still finds at its address, with its text, and restores from there", async () => {
    const rina = await web.visitor().logIn("45");
    const id = await saveFile(rina, "gone.py");
    await post(rina, `/api/file/${id}/trash`);

    const answer = await rina.page(`/file/${id}`);
    const html = await answer.text();
    expect(answer.status).toBe(404);
    expect(html).toContain("This file is in the trash");
    expect(html).toMatch(/gone\.py.*dateTime="2037-11-14T12:00:00\.000Z".*<pre[^>]*>x/s);
    expect(html).toContain(`value="restore:${id}"`);
    expect(await (await rina.page("/trash")).text()).toContain(`href="/file/${id}"`);
    expect(await (await rina.page(`/edit/${id}`)).text()).toContain("This file is in the trash");

    const foreign = await noam.page(`/file/${id}`);
    expect(foreign.status).toBe(404);
    const words = await foreign.text();
    expect(words).toContain("isn’t yours");
    expect(words).not.toContain("gone.py");
    const asJson = await rina.ask(`/file/${id}`, { headers: { Accept: "application/json" } });
    expect(await asJson.json()).toMatchObject({ code: "file_not_found" });

    await rina.submit("/files/actions", { intent: `restore:${id}`, next: `/file/${id}` });
    expect((await rina.page(`/file/${id}`)).status).toBe(200);
  });

  it("says when its promise is broken: overdue files, or an index that is not there", async () => {
    const omer = await web.visitor().logIn("44");
    const id = await saveFile(omer, "overdue.md");
    await post(omer, `/api/file/${id}/trash`);
    const noon = web.clock();
    web.clock.set(new Date(noon.getTime() + 29 * DAY_MS));
    await omer.logIn("44");
    expect(await (await omer.page("/trash")).text()).not.toContain("not being deleted");
    web.clock.set(new Date(noon.getTime() + 31 * DAY_MS));
    await omer.logIn("44");
    expect(await (await omer.page("/trash")).text()).toContain("not being deleted");
    web.clock.set(noon);

    const rafi = await web.visitor().logIn("45");
    expect(await (await rafi.page("/trash")).text()).not.toContain("not being deleted");
    await web.mongo.collection("file_bodies").dropIndex("bin_expiry");
    expect(await (await rafi.page("/trash")).text()).toContain("not being deleted");
    await ensureIndexes(web.mongo.collection);
  });

  it("takes a damaged cursor as the lists do", async () => {
    expect((await dana.ask("/trash?cursor=bad")).status).toBe(400);
    const page = await dana.page("/trash?cursor=bad");
    expect([page.status, await page.text()]).toEqual([
      200,
      expect.stringContaining("That page link is broken"),
    ]);
  });
});
