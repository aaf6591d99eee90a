import { describe, expect, it } from "vitest";
import { addSampleFiles } from "#db/files/sample.server.ts";
import { openTestWeb, type Visitor } from "#tests/support/web.ts";

const web = await openTestWeb({ RATE_LIMIT_WRITES_PER_MINUTE: "10000" });
const dana = await web.person("60");
const noam = await web.person("61");

const stats = (visitor: Visitor) => visitor.readJson("/api/stats");

describe("the statistics", () => {
  it("are empty for an empty library, and 401 without a session", async () => {
    expect(await stats(noam)).toEqual({ total_files: 0, languages: {}, recent_files: [] });
    expect((await web.visitor().ask("/api/stats")).status).toBe(401);
  });

  it("count the living files by language and name the ten newest", async () => {
    const noon = web.clock();
    const ids: string[] = [];
    for (let i = 0; i < 12; i += 1) {
      web.clock.set(new Date(noon.getTime() + i * 1000));
      ids.push(await dana.saveFile(`n${i}.${i < 9 ? "py" : "go"}`));
    }
    web.clock.set(noon);
    await dana.ask(`/api/file/${ids[0]}/trash`, { method: "POST" });
    await noam.saveFile("foreign.rb");

    const { recent_files, ...counts } = await stats(dana);

    expect(counts).toEqual({ total_files: 11, languages: { python: 8, go: 3 } });
    expect(recent_files.map(({ file_name }: { file_name: string }) => file_name)).toEqual(
      Array.from({ length: 10 }, (_, i) => `n${11 - i}.${11 - i < 9 ? "py" : "go"}`),
    );
    expect(recent_files[0]).toEqual({
      id: ids[11],
      file_name: "n11.go",
      language: "go",
      created_at: "2037-11-14T12:00:11.000+00:00",
    });
  });
});

describe("the dashboard", () => {
  it("shows pins, languages, activity and storage in words too", async () => {
    const id = (await stats(dana)).recent_files[3].id;
    expect(await dana.read("/dashboard")).not.toContain("<h2>Pinned</h2>");
    await dana.ask(`/api/pin/toggle/${id}`, { method: "POST" });

    const html = await dana.read("/dashboard");

    expect(html).toContain("<h2>Pinned</h2>");
    expect(html).toContain("11 new files in 6 months");
    expect(html).toContain('href="/files?lang=python"');
    expect(html).toContain("8 files");
    expect(html).toContain("1 in trash");
  });

  it("offers no sample library where a messenger is configured, and refuses to add one", async () => {
    const tamar = await web.person("62");
    expect(await tamar.read("/dashboard")).not.toContain("sample files");
    await tamar.submit("/files/actions", { intent: "sample" });
    expect((await stats(tamar)).total_files).toBe(0);
  });
});

it("a sample library is added once, however often it is requested", async () => {
  const sample = [
    { file_name: "a.py", body: "x", pinned: true },
    { file_name: "b.md", body: "# b", favorite: true },
  ] as const;
  expect(await addSampleFiles(web.db, "63", sample, web.clock())).toBe(2);
  const before = await web.db.files.find({ user_id: "63" }).sort({ _id: 1 }).toArray();
  expect(before).toMatchObject([{ is_pinned: true }, { is_favorite: true, version: 1 }]);
  expect(await addSampleFiles(web.db, "63", sample, web.clock())).toBe(0);
  expect(await web.db.files.find({ user_id: "63" }).sort({ _id: 1 }).toArray()).toEqual(before);
});
