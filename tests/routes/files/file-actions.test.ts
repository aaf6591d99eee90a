import { describe, expect, it } from "vitest";
import { required } from "#domain/required.ts";
import { ABSENT_ID } from "#tests/support/given.ts";
import { type FormValues, openTestWeb, type Visitor } from "#tests/support/web.ts";

const web = await openTestWeb();
const dana = await web.person();
const noam = await web.person();

const post = (path: string, visitor = dana) => visitor.send("POST", `/api/${path}`);
const findListed = async (id: string) => {
  const { files } = await dana.readJson("/api/files?limit=100");
  return files.find((file: { id: string }) => file.id === id);
};

it("deleting a file returns its dates and hides it everywhere, and restoring brings it back unchanged", async () => {
  const id = await dana.saveFile("gone.py");
  const before = await findListed(id);

  const { status, body } = await post(`file/${id}/trash`);

  expect(status).toBe(200);
  expect(body).toEqual({
    ok: true,
    file_id: id,
    deleted_at: "2037-11-14T12:00:00.000+00:00",
    expires_at: "2037-12-14T12:00:00.000+00:00",
  });
  for (const path of [`/file/${id}`, `/download/${id}`])
    expect((await dana.send("GET", path)).status).toBe(404);
  expect(await findListed(id)).toBeUndefined();
  const restored = await post(`trash/${id}/restore`);
  expect(restored.body).toEqual({ ok: true, restored: 1, file_id: id, file_name: "gone.py" });
  expect(await findListed(id)).toEqual(before);
});

describe("favourites and pins", () => {
  it("are toggled", async () => {
    const id = await dana.saveFile("marked.py");
    for (const on of [true, false]) {
      const favorite = (await post(`favorite/toggle/${id}`)).body;
      expect(favorite).toEqual({ ok: true, file_id: id, is_favorite: on });
      expect((await post(`pin/toggle/${id}`)).body).toEqual({ ok: true, file_id: id, is_pinned: on });
    }
  });

  it("are eight pins at most, however many are asked for at once", async () => {
    const tamar = await web.person();
    const toggle = (id = "") => post(`pin/toggle/${id}`, tamar);
    const ids: string[] = [];
    for (let i = 0; i < 12; i += 1) ids.push(await tamar.saveFile(`${i}.py`));

    const answers = await Promise.all(ids.map(toggle));

    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([...Array(8).fill(200), ...Array(4).fill(409)]);
    const [pinned, waiting] = [ids[statuses.indexOf(200)], ids[statuses.indexOf(409)]];
    expect(answers[statuses.indexOf(409)]?.body).toMatchObject({ error: "pin_limit", max: 8 });
    expect(await web.db.files.countDocuments({ user_id: tamar.id, is_pinned: true })).toBe(8);
    await toggle(pinned);
    expect((await toggle(waiting)).status).toBe(200);
  });
});

describe("the form of looking after files", () => {
  const send = (fields: FormValues, visitor = dana) => visitor.press("/files/actions", fields);
  const readNotice = async (visitor: Visitor = dana) =>
    /class="notice[^>]*>.*?<p>(.*?)<\/p>/s.exec(await visitor.read("/trash"))?.[1];
  const describeFile = (id: string, fields: FormValues, visitor = dana) =>
    send({ intent: `describe:${id}`, description: "", tags: "", ...fields }, visitor);

  it("stars, tags, deletes and restores the chosen rows, and returns to the same place", async () => {
    const file_ids = [await dana.saveFile("row1.py"), await dana.saveFile("row2.py")];
    const [first, second] = file_ids as [string, string];

    const starred = await send({ intent: "favorite", next: "/files?lang=python", file_ids });
    expect([starred.status, starred.location]).toEqual([303, "/files?lang=python"]);
    expect(await readNotice()).toBe("Added 2 files to favourites");
    await send({ intent: "tag", tags: "#one, two", file_ids });
    expect(await findListed(second)).toMatchObject({ tags: ["one", "two"], is_favorite: true });
    await send({ intent: "delete", file_ids });
    const page = await dana.read("/trash");
    expect(page).toContain("Moved 2 files to trash");
    expect(page).toContain("row1.py");
    await send({ intent: "undo", at: required(/name="at" value="(\d+)"/.exec(page)?.[1]) });
    expect(await readNotice()).toMatch(/^Restored \d+ files$/);
    expect(await findListed(first)).toBeDefined();
  });

  it.each<[string, FormValues, string]>([
    ["nothing is chosen", { intent: "favorite" }, "Choose a file"],
    ["a file is missing", { intent: "delete", file_ids: ABSENT_ID }, "no longer exist"],
    ["no tag is typed", { intent: "tag", tags: " , ", file_ids: ABSENT_ID }, "at least one tag"],
    ["the intent is unknown", { intent: "toString" }, "is not valid"],
  ])("says why when %s", async (_, fields, words) => {
    expect((await send(fields)).status).toBe(303);
    expect(await readNotice()).toContain(words);
  });

  it("answers a script in JSON", async () => {
    const refused = await dana.send("POST", "/files/actions", new URLSearchParams({ intent: "favorite" }));
    expect(refused).toMatchObject({ status: 400, body: { code: "no_files" } });
    expect((await dana.show("/files/actions")).location).toBe("/files");
  });

  it("edits description and tags on the page of a file, within their limits", async () => {
    const id = await dana.saveFile("described.py");
    const fields = { description: "What it does", tags: ["a", "b"] };
    await describeFile(id, { description: " What it does ", tags: "a, b" });
    expect(await findListed(id)).toMatchObject(fields);
    expect(await readNotice()).toBe("Details saved");
    await describeFile(id, { description: "x".repeat(501) });
    expect(await readNotice()).toContain("The limit is 500 characters");
    await describeFile(id, { tags: "t".repeat(51) });
    expect(await readNotice()).toContain("Use up to 20 tags");
    await describeFile(id, {}, noam);
    expect(await readNotice(noam)).toContain("doesn’t exist");
    expect(await findListed(id)).toMatchObject(fields);
  });

  it("returns everything typed about a file, and marks the refused field", async () => {
    const id = await dana.saveFile("typed-about.py");
    const typed = { file_name: "new-name.py", description: "x".repeat(501), tags: "kept, too" };
    await describeFile(id, typed);
    const page = await dana.read(`/file/${id}`);
    for (const value of Object.values(typed)) expect(page).toContain(`value="${value}"`);
    const invalid = [...page.matchAll(/<input[^>]*aria-invalid="true"[^>]*>/g)].map(String);
    expect(invalid).toEqual([expect.stringMatching(/name="description".*autofocus/)]);
  });

  it("keeps the chosen rows and the text typed below them when it is refused", async () => {
    const [chosen, other] = [await dana.saveFile("chosen-row.py"), await dana.saveFile("other-row.py")];
    await send({ intent: "tag", tags: "t".repeat(51), folder: "", file_ids: chosen });
    const page = await dana.read("/files");
    const isChecked = (id: string) => new RegExp(`<input[^>]*checked=""[^>]*value="${id}"`).test(page);
    expect([isChecked(chosen), isChecked(other)]).toEqual([true, false]);
    expect(page).toMatch(new RegExp(`<input[^>]*name="tags"[^>]*value="${"t".repeat(51)}"`));
  });

  it("renames by the form about a file without a new version, keeps a refused name, and is undone", async () => {
    const id = await dana.saveFile("first-name.py");
    await dana.saveFile("taken-name.py");
    const rename = (file_name: string) =>
      describeFile(id, { file_name, description: "told", tags: "a", next: `/file/${id}` });

    await rename("second-name.py");
    expect(await findListed(id)).toMatchObject({ file_name: "second-name.py", version: 1 });
    const page = await dana.read(`/file/${id}`);
    const undo = page.slice(page.indexOf('class="notice '), page.indexOf("data-toast-close"));
    const fields = [...undo.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [
      name,
      value,
    ]);
    expect(fields).toContainEqual(["file_name", "first-name.py"]);
    await send(Object.fromEntries(fields));
    const before = { file_name: "first-name.py", description: "", version: 1 };
    expect(await findListed(id)).toMatchObject(before);

    await rename("taken-name.py");
    const refused = await dana.read(`/file/${id}`);
    expect(refused).toMatch(/<details name="file-panel" open="">/);
    expect(refused).toMatch(/name="file_name"[^>]*value="taken-name.py"/);
  });
});

describe("the trash", () => {
  /** A person with one file in the trash. */
  async function givenTrashed(name: string) {
    const person = await web.person();
    const id = await person.saveFile(name);
    await post(`file/${id}/trash`, person);
    return { person, id };
  }

  it("shows names, both dates and the actions, to its owner only, and can be emptied", async () => {
    const { person: rina, id } = await givenTrashed("פתק <b>.md");

    const html = await rina.read("/trash");

    for (const words of ["פתק &lt;b&gt;.md", 'dateTime="2037-11-14T12:00:00.000Z"', "Dec 14, 2037"])
      expect(html).toContain(words);
    for (const intent of [`restore:${id}`, `purge:${id}`, "empty"])
      expect(html).toContain(`value="${intent}"`);
    expect(html).not.toContain("not being deleted");
    expect(await noam.read("/trash")).not.toContain("פתק");
    await rina.submit("/files/actions", { intent: "empty", next: "/trash" });
    expect(await rina.read("/trash")).toContain("Trash is empty");
    expect(await web.db.files.countDocuments({ user_id: rina.id })).toBe(0);
  });

  it("shows its owner a file at its address, with its text, to restore from there", async () => {
    const { person: rina, id } = await givenTrashed("gone.py");

    const { status, html } = await rina.show(`/file/${id}`);
    expect(status).toBe(404);
    expect(html).toContain("This file is in the trash");
    expect(html).toMatch(/gone\.py.*dateTime="2037-11-14T12:00:00\.000Z".*<pre[^>]*>x/s);
    expect(html).toContain(`value="restore:${id}"`);
    expect(await rina.read("/trash")).toContain(`href="/file/${id}"`);
    expect(await rina.read(`/edit/${id}`)).toContain("This file is in the trash");

    const foreign = await noam.show(`/file/${id}`);
    expect(foreign.status).toBe(404);
    expect(foreign.html).toContain("isn’t yours");
    expect(foreign.html).not.toContain("gone.py");
    expect(await rina.readJson(`/file/${id}`)).toMatchObject({ code: "file_not_found" });

    await rina.submit("/files/actions", { intent: `restore:${id}`, next: `/file/${id}` });
    expect((await rina.show(`/file/${id}`)).status).toBe(200);
  });
});
