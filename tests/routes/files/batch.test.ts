import { describe, expect, it } from "vitest";
import { openTestWeb, type Visitor } from "#tests/support/web.ts";

const web = await openTestWeb({ RATE_LIMIT_UPLOADS_PER_MINUTE: "210", RATE_LIMIT_WRITES_PER_MINUTE: "12" });

type Sent = Record<string, string | Uint8Array<ArrayBuffer>> | [path: string, text: string][];

function toForm(files: Sent, ifMatch?: unknown): FormData {
  const form = new FormData();
  if (ifMatch !== undefined) form.set("if_match", JSON.stringify(ifMatch));
  for (const [path, text] of Array.isArray(files) ? files : Object.entries(files))
    form.append("files", new File([text], path));
  return form;
}

const send = (script: Visitor, files: Sent, ifMatch?: unknown) =>
  script.send("POST", "/api/files/batch", toForm(files, ifMatch));

async function openScript() {
  const { id } = await web.person();
  return web.script(id);
}

describe("many files in one request", () => {
  it("are each saved or refused separately, and reported in the order they were sent", async () => {
    const script = await openScript();
    const files = {
      "a.py": "a = 1\n",
      "תיקייה/ב.md": "# שלום 🙂\n",
      "lib/deep/c.ts": "\ufeffexport {}\r\n",
      "../up.py": "1",
      "image.png": Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0xff),
      "large.txt": "x".repeat(2 * 1024 * 1024 + 1),
    };

    const { status, body } = await send(script, files);

    expect(status).toBe(200);
    const rows = body.results.map(({ path, status, code }: Record<string, unknown>) => [path, status, code]);
    expect(rows).toEqual([
      ["a.py", 201, undefined],
      ["תיקייה/ב.md", 201, undefined],
      ["lib/deep/c.ts", 201, undefined],
      ["../up.py", 400, "path_with_dots"],
      ["image.png", 415, expect.any(String)],
      ["large.txt", 413, expect.any(String)],
    ]);
    const bytes = await (await script.ask("/api/files/lib/deep/c.ts")).bytes();
    expect(Buffer.from(bytes).toString()).toBe(files["lib/deep/c.ts"]);
    expect(body.results[0]).toMatchObject({ version: 1, etag: `"${body.results[0].file_id}.1"` });
  });

  it("are not saved with a condition on a path that none of them has", async () => {
    const script = await openScript();
    const { status, body } = await send(script, { "a.py": "a = 1\n" }, { "A.py": 1 });
    expect([status, body.code, body.fields]).toEqual([400, "invalid_payload", ["if_match"]]);
    expect((await script.ask("/api/files/a.py")).status).toBe(404);
  });

  it("may have their paths apart from the parts, if a form would change them", async () => {
    const script = await openScript();
    const paths = ['in/a"b.py', "100%22.py"];
    const form = toForm(paths.map((path) => [path, `${path}\n`]));
    form.set("paths", JSON.stringify(paths));

    const { body } = await script.send("POST", "/api/files/batch", form);

    expect(body.results.map(({ path, status }: Record<string, unknown>) => [path, status])).toEqual(
      paths.map((path) => [path, 201]),
    );
    expect(await script.read(`/api/files/${encodeURIComponent("100%22.py")}`)).toBe("100%22.py\n");
    for (const wrong of ["[]", '["a"]', "x", "[1, 2]"]) {
      form.set("paths", wrong);
      expect((await script.send("POST", "/api/files/batch", form)).status, wrong).toBe(400);
    }
  });

  it("make no version of the same text, and are saved in order if they share a path", async () => {
    const script = await openScript();
    await send(script, { "a.py": "1\n" });

    const { body } = await send(script, [
      ["a.py", "1\n"],
      ["a.py", "2\n"],
      ["a.py", "3\n"],
    ]);

    expect(body.results).toMatchObject([
      { status: 200, version: 1, unchanged: true },
      { status: 200, version: 2 },
      { status: 200, version: 3 },
    ]);
    expect(await script.read("/api/files/a.py")).toBe("3\n");
  });

  it("are saved only over the version that was read", async () => {
    const script = await openScript();
    const first = await send(script, { "a.py": "1\n", "b.py": "1\n", "c.py": "1\n" });
    const { etag } = first.body.results[2];

    const { body } = await send(
      script,
      { "a.py": "2\n", "b.py": "2\n", "c.py": "2\n", "new.py": "2\n" },
      { "a.py": 9, "b.py": null, "c.py": etag, "new.py": null },
    );

    expect(body.results).toMatchObject([
      { status: 412, code: "version_changed", version: 1 },
      { status: 412, code: "version_changed", version: 1 },
      { status: 200, version: 2 },
      { status: 201, version: 1 },
    ]);
    expect(await script.read("/api/files/a.py")).toBe("1\n");
  });

  it("may be 200, with their paths and their conditions, and count as so many saves: the rest wait for the next minute", async () => {
    const script = await openScript();
    const paths = Array.from({ length: 200 }, (_, n) => `${n}.txt`);
    const form = toForm(
      paths.map((path) => [path, "x\n"]),
      Object.fromEntries(paths.map((path) => [path, null])),
    );
    form.set("paths", JSON.stringify(paths));
    const { status, body } = await script.send("POST", "/api/files/batch", form);
    expect([status, body.results.length]).toEqual([200, 200]);
    const statusesIn = (results: { status: number }[]) => results.map((result) => result.status);
    expect(new Set(statusesIn(body.results))).toEqual(new Set([201]));

    const more = Array.from({ length: 15 }, (_, n): [string, string] => [`more/${n}.txt`, `${n}`]);
    const { results } = (await send(script, more)).body;
    expect(statusesIn(results).filter((saved) => saved === 201)).toHaveLength(10);
    const refused = results.find((result: { status: number }) => result.status === 429);
    expect(refused).toMatchObject({ code: "rate_limit_exceeded", retry_after: expect.any(Number) });
  });

  it("are refused together if the form is invalid, empty or has too many", async () => {
    const script = await openScript();
    const many = Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`${n}.txt`, "x"]));

    expect(await send(script, many)).toMatchObject({
      status: 413,
      body: { ok: false, code: "too_many_fields" },
    });
    expect(await send(script, {})).toMatchObject({ body: { code: "no_files" } });
    expect(await send(script, { "a.py": "1" }, ["a.py"])).toMatchObject({
      body: { code: "invalid_payload" },
    });
    expect(await send(script, { "a.py": "1" }, { ["a".repeat(1_000_000)]: 1 })).toMatchObject({
      body: { code: "invalid_payload" },
    });
    expect(await script.send("POST", "/api/files/batch", { files: [] })).toMatchObject({
      body: { code: "invalid_payload" },
    });
    expect((await script.readJson("/api/files")).files).toEqual([]);
  });
});

it("saving by API is limited by the number of files, and not by the writes of a minute", async () => {
  const script = await openScript();
  const statuses: number[] = [];
  for (let n = 0; n < 15; n += 1)
    statuses.push((await script.ask(`/api/files/${n}.txt`, { method: "PUT", body: `${n}` })).status);

  expect(new Set(statuses)).toEqual(new Set([201]));
});
