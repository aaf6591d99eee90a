import { JSDOM } from "jsdom";
import { beforeAll, describe, expect, it } from "vitest";
import { required } from "#domain/required.ts";
import { manyFiles } from "#tests/support/many-files.ts";
import { openTestWeb } from "#tests/support/web.ts";

const web = await openTestWeb();
const OWNER = "71";
const owner = await web.visitor().logIn(OWNER);

const read = async (address: string) => new JSDOM(await (await owner.page(address)).text()).window.document;
const readTotal = (page: Document) => page.querySelector(".list-title .soft")?.textContent;

beforeAll(async () => {
  await web.db.files.insertMany(manyFiles(OWNER, 400));
  const folder = async (name: string, parent_id?: string) => {
    const body = JSON.stringify({ name, parent_id });
    return (await (await owner.ask("/api/folders", { method: "POST", body })).json()).folder.id;
  };
  const outer = await folder("outer");
  await folder("inner", outer);
  await folder("other", outer);
  await folder("empty");
  for (let i = 0; i < 3; i += 1)
    await owner.ask(`/api/files/outer/in${i}.py`, { method: "PUT", body: `print(${i})\n` });
});

describe("the list of files", () => {
  it.each([
    "",
    "lang=python",
    "lang=GO",
    "category=web",
    "category=favorites",
    "category=web&lang=python",
    "repo=o%2Fone",
    "lang=none",
  ])("narrowed to %j tells how many files it has on all pages", async (query) => {
    const { total } = await (await owner.ask(`/api/files?${query}`)).json();
    expect(readTotal(await read(`/files?${query}`)) ?? "0 files").toBe(
      `${total} file${total === 1 ? "" : "s"}`,
    );
  });

  it("leaves the number of hits out where it would have to read them all, and tells those of one page", async () => {
    const saved = Array.from({ length: 21 }, (_, i) =>
      owner.ask(`/api/files/hit-${i}.txt`, { method: "PUT", body: `needle ${i} here\n` }),
    );
    await Promise.all(saved);
    const many = await read("/files?q=needle");
    expect(many.querySelectorAll(".file-row").length).toBe(20);
    expect(readTotal(many)).toBe(undefined);
    expect(many.querySelector(".facet-count")).toBe(null);
    expect(readTotal(await read("/files?q=needle+7+here"))).toBe("1 file");
  });

  it.each([
    "/files",
    "/files?category=web",
    "/files?lang=python",
    "/files?category=web&lang=go",
    "/files?folder=FOLDER",
  ])("%s offers languages and tags with the number of files that each leads to", async (address) => {
    const [folder] = (await (await owner.ask("/api/folders")).json()).folders.filter(
      ({ name }: { name: string }) => name === "outer",
    );
    const page = await read(address.replace("FOLDER", folder.id));
    const links = [
      ...page.querySelectorAll<HTMLAnchorElement>(
        ".facets .facet-list a, .rail-facets a:not([aria-current])",
      ),
    ];
    for (const link of links) {
      const count = Number(required(link.querySelector(".facet-count")).textContent);
      const { total } = await (await owner.ask(link.href.replace(/^.*\/files\?/, "/api/files?"))).json();
      expect([link.textContent, total]).toEqual([link.textContent, count]);
    }
    if (!address.includes("folder")) expect(links.length).toBeGreaterThan(3);
  });

  it("tells on each folder how much is seen in it, folders too, and nothing on an empty one", async () => {
    const page = await read("/files");
    const chips = [...page.querySelectorAll(".folder-chip")].map((chip) => [
      required(chip.querySelector("bdi")).textContent,
      ...[...chip.querySelectorAll(".facet-count > span")].map(({ textContent }) => textContent),
    ]);
    expect(chips).toEqual([["empty"], ["outer", "5", "2 folders · 3 files"]]);
  });
});
