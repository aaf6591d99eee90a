import { describe, expect, it } from "vitest";
import { required } from "#domain/required.ts";
import { openTestWeb, toForm, type Visitor } from "#tests/support/web.ts";

const web = await openTestWeb();

describe("the owner of a page", () => {
  it("is an opaque name, the same for one person and different for each", async () => {
    const dana = await web.person("71");
    const again = await web.person("71");
    const other = await web.person("72");
    const readers = await Promise.all(
      [dana, again, other, web.visitor()].map(async (visitor) =>
        (await visitor.page("/offline")).headers.get("X-Reader"),
      ),
    );
    expect(readers[0]).toMatch(/^[\w-]{22}$/);
    expect(readers[1]).toBe(readers[0]);
    expect(readers[2]).not.toBe(readers[0]);
    expect(readers[3]).toBe("nobody");
  });

  it("is stated by an unchanged page, and to no script", async () => {
    const dana = await web.person("71");
    const etag = required((await dana.page("/offline")).headers.get("ETag"));
    const unchanged = await dana.page("/offline", { headers: { "If-None-Match": etag } });
    expect(unchanged.status).toBe(304);
    expect(unchanged.headers.get("X-Reader")).toMatch(/^[\w-]{22}$/);
    expect((await dana.ask("/api/files")).headers.get("X-Reader")).toBeNull();
  });
});

describe("a form that waited for a network", () => {
  const send = (visitor: Visitor, reader: string | null) =>
    visitor.send("POST", "/notes/new", toForm({ content: `by ${reader}` }), {
      Accept: "application/json",
      ...(reader ? { "X-Reader": reader } : {}),
    });

  it("is accepted from the person who filled it in, and not saved for another who is logged in since", async () => {
    const dana = await web.person("74");
    const other = await web.person("75");
    const reader = (await dana.page("/offline")).headers.get("X-Reader");

    expect((await send(other, reader)).status).toBe(401);
    expect((await other.readJson("/notes")).notes).toEqual([]);
    expect((await send(other, null)).status).toBe(201);
    expect((await send(dana, reader)).status).toBe(201);
  });
});

it("the manifest is in the reader's language, and accepts what other apps share", async () => {
  const answer = await web.visitor().ask("/manifest.webmanifest", { headers: { "Accept-Language": "he" } });
  expect(answer.headers.get("Content-Type")).toMatch(/^application\/manifest\+json/);
  const manifest = await answer.json();
  expect(manifest).toMatchObject({
    lang: "he",
    dir: "rtl",
    start_url: "/dashboard",
    display: "standalone",
  });
  expect(manifest.share_target).toMatchObject({ action: "/upload", method: "POST" });
  expect(manifest.icons.some((icon: { purpose?: string }) => icon.purpose === "maskable")).toBe(true);
  for (const { src } of manifest.icons) expect((await web.visitor().ask(src)).status, src).toBe(200);
  const english = await (await web.visitor().ask("/manifest.webmanifest")).json();
  expect(english.description).not.toBe(manifest.description);
});

describe("a text shared by another app", () => {
  it("is in the form under a name made from its title, and is saved by sending that", async () => {
    const dana = await web.person("73");
    const { status, html } = await dana.press("/upload", {
      shared_title: "A fine page / שלום!",
      shared_text: "words",
      shared_url: "https://example.com/x",
    });
    expect(status).toBe(200);
    expect(html).toContain('value="A-fine-page-שלום.txt"');
    expect(html).toContain("words\nhttps://example.com/x");
    expect((await dana.readJson("/api/files")).files).toEqual([]);
  });

  it("is saved at once if it consists of files", async () => {
    const dana = await web.person("74");
    const files = new File(["x = 1\n"], "shared.py");
    expect((await dana.press("/upload", { files, shared_title: "ignored" })).status).toBe(303);
    expect((await dana.readJson("/api/files")).files[0].file_name).toBe("shared.py");
  });
});
