import { glob } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { FORM_FIELDS_MAX, parseForm } from "#app/http/door/form-fields.ts";
import { FIELD_NAMES, LIST_NAMES } from "#app/http/session/kept-form.server.ts";
import { PROJECT_ROOT } from "#db/local/project-root.ts";
import { BODY_MAX_BYTES } from "#domain/files/file.ts";
import { isRefusal } from "#domain/refusal.ts";
import { openTestWeb } from "#tests/support/web.ts";

const web = await openTestWeb();
const URL_ENCODED = "application/x-www-form-urlencoded";
const IN_PARTS = "multipart/form-data; boundary=cut";

const part = (name: string, value: string) =>
  `--cut\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const inParts = (...parts: string[]) => `${parts.join("")}--cut--\r\n`;
const parse = (body: string | Uint8Array, type: string) => parseForm(Buffer.from(body as string), type);
const times = (count: number, text: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => text(n));

type Read = [name: string, value: string, fileName: string | null];

async function readOurs(body: BodyInit): Promise<Read[]> {
  const sent = new Response(body);
  const fields = parseForm(await sent.bytes(), sent.headers.get("Content-Type") ?? "");
  if (isRefusal(fields)) throw new Error(fields.refused);
  return Promise.all(fields.map(({ name, value }) => readValue(name, value)));
}

async function readStandard(body: BodyInit): Promise<Read[]> {
  const fields = [...(await new Response(body).formData())];
  return Promise.all(fields.map(([name, value]) => readValue(name, value)));
}

const readValue = async (name: string, value: string | File): Promise<Read> =>
  value instanceof File ? [name, await value.text(), value.name] : [name, value, null];

const name = fc.string({ unit: "grapheme", maxLength: 3 });
const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.string({ unit: fc.constantFrom("\r", "\n", "-", "%", "+", "&", "=", '"', "2", "a", "ש") }),
);

describe("a form", () => {
  it("is read as the standard reads it, with its names escaped", () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(name, text), { maxLength: 8 }), async (fields) => {
        const body = new URLSearchParams(fields);
        expect(await readOurs(body)).toEqual(await readStandard(body));
      }),
    ));

  it("is read as the standard reads it, in parts and with files", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(name, text, fc.boolean()), { minLength: 1, maxLength: 8 }),
        async (fields) => {
          const body = new FormData();
          for (const [name, text, isFile] of fields) {
            if (isFile) body.append(name, new File([text], `${name}.txt`));
            else body.append(name, text);
          }
          expect(await readOurs(body)).toEqual(await readStandard(body));
        },
      ),
    ));

  it.each([
    ["its names escaped", URL_ENCODED, (count: number) => times(count, (n) => `a${n}=1`).join("&")],
    ["empty fields", URL_ENCODED, (count: number) => "&".repeat(count)],
    ["parts", IN_PARTS, (count: number) => inParts(...times(count, (n) => part(`a${n}`, "1")))],
  ])("has at most 200 fields, with %s", (_, type, body) => {
    expect(isRefusal(parse(body(FORM_FIELDS_MAX), type))).toBe(false);
    expect(parse(body(FORM_FIELDS_MAX + 1), type)).toMatchObject({
      refused: "too_many_fields",
      context: { max: 200 },
    });
    expect(parse(body(100_000), type)).toMatchObject({ refused: "too_many_fields" });
  });

  const head = (line: string) => `--cut\r\n${line}\r\n\r\nx\r\n--cut--\r\n`;
  it.each([
    ["another kind of body", "{}", "application/json"],
    ["a body of no kind", "a=1", ""],
    ["parts without a boundary", inParts(part("a", "1")), "multipart/form-data"],
    ["a boundary that is too long", "", `multipart/form-data; boundary=${"x".repeat(71)}`],
    ["a form that was cut", part("a", "1"), IN_PARTS],
    ["a part without a head", "--cut\r\nx\r\n--cut--\r\n", IN_PARTS],
    ["a part without a name", head("Content-Disposition: form-data"), IN_PARTS],
    ["a part of another kind", head('Content-Disposition: attachment; name="a"'), IN_PARTS],
    [
      "a head without end",
      head(`Content-Disposition: form-data; name="a"\r\n${"X-A: b\r\n".repeat(1000)}`),
      IN_PARTS,
    ],
    ["a name without end", `${"a".repeat(101)}=1`, URL_ENCODED],
    ["another encoding of text", "a=%ff", URL_ENCODED],
  ])("is not %s", (_, body, type) => {
    expect(parse(body, type)).toMatchObject({ refused: "invalid_payload" });
  });

  it("keeps a text of the largest size exactly, in either encoding", () => {
    const long = 'a+b%41 &="\r\nש'.repeat(BODY_MAX_BYTES / 16);
    const expected = [{ name: "text", value: long }];
    expect(parse(new URLSearchParams({ text: long }).toString(), URL_ENCODED)).toEqual(expected);
    expect(parse(inParts(part("text", long)), IN_PARTS)).toEqual(expected);
  });
});

describe("a page that is sent too many fields", () => {
  const many = () =>
    times(60_000, (n) => `a${n}`)
      .join("&")
      .slice(0, 250_000);
  it("says so to a script", async () => {
    const response = await web.visitor().ask("/preferences", {
      method: "POST",
      body: many(),
      headers: { "Content-Type": URL_ENCODED },
    });
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ error: "too_many_fields", max: 200 });
  });

  it.each([
    ["en", "The limit is 200"],
    ["he", "המגבלה היא 200"],
  ])("says so to a person, in %s", async (language, words) => {
    const dana = await web.person("50");
    const fields = new FormData();
    for (let n = 0; n <= FORM_FIELDS_MAX; n += 1) fields.append("files", new File(["x"], `f${n}`));
    const response = await dana.page("/upload", {
      method: "POST",
      body: fields,
      headers: { "Sec-Fetch-Site": "same-origin", "Accept-Language": language },
    });
    expect(response.status).toBe(413);
    expect(await response.text()).toContain(words);
    expect(await web.db.files.countDocuments({ user_id: "50" })).toBe(0);
  });
});

describe("a zip to import that is sent with too many fields", () => {
  it("is refused, and nothing of it is kept", async () => {
    const dana = await web.person("52");
    const send = (parts: number) =>
      dana.ask("/settings/export", {
        method: "POST",
        body: inParts(...times(parts, () => part("a", ""))),
        headers: { "Content-Type": IN_PARTS },
      });
    expect(await (await send(FORM_FIELDS_MAX)).json()).toMatchObject({ code: "no_zip" });
    const response = await send(FORM_FIELDS_MAX + 1);
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ error: "too_many_fields", max: 200 });
  });
});

describe("a form that came after its session had ended", () => {
  const typed = { file_name: "typed.py", text: "print('typed')\nand more", tags: "one" };

  it("comes back with what was typed", async () => {
    const response = await web.visitor().submit("/upload", typed);
    expect(response.status).toBe(401);
    const page = await response.text();
    for (const words of ["typed.py", "print(&#x27;typed&#x27;)\nand more"]) expect(page).toContain(words);
    expect(page).toContain("Your text is still here.");
  });

  it("does not speak of a text where none was typed", async () => {
    const run = { intent: "run", version: "1", timeout: "5", stdin: "", args: "", keep: "1" };
    const address = `/file/${"0".repeat(24)}`;

    const asked = async (fields: Record<string, string>) =>
      (await web.visitor().submit(address, { ...run, ...fields })).text();

    expect(await asked({})).toContain("Log in from a new tab, then send again.");
    expect(await asked({})).not.toContain("Your text is still here.");
    expect(await asked({ stdin: "Dana" })).toContain("Your text is still here.");
  });

  it("does not take what a link shows for a text", async () => {
    const link = { form_key: "k", content: "full", lines: "", lifetime: "7", max_views: "", password: "" };
    const asked = async (path: string, fields: Record<string, string>) =>
      (await web.visitor().submit(path, fields)).text();

    const page = await asked(`/file/${"0".repeat(24)}/share`, link);

    expect(page).toContain("Log in from a new tab, then send again.");
    expect(page).not.toContain("Your text is still here.");
    expect(page).toMatch(/name="content" value="full"/);
    expect(await asked("/notes/new", { content: "full" })).toContain("Your text is still here.");
  });

  it("comes back whole to whoever had a session; a long one of a stranger does not", async () => {
    const long = new FormData();
    for (const [name, value] of Object.entries({ ...typed, text: `long text${" ".repeat(100_000)}` }))
      long.append(name, value);
    const left = await web.person("71");
    const cookies = [...left.cookies];
    await left.ask("/logout");
    for (const [name, value] of cookies) left.cookies.set(name, value);

    const kept = await left.submit("/upload", long);
    const forgotten = await web.visitor().submit("/upload", long);

    expect(kept.status).toBe(401);
    expect(await kept.text()).toContain("long text");
    expect(forgotten.status).toBe(302);
  });

  it("comes back with every file that was chosen in a list", async () => {
    const chosen = times(100, (n) => `file_ids=${String(n).padStart(24, "0")}`);
    const response = await web.visitor().page("/files/actions", {
      method: "POST",
      body: ["intent=favorite", ...chosen].join("&"),
      headers: { "Content-Type": URL_ENCODED, "Sec-Fetch-Site": "same-origin" },
    });
    expect(response.status).toBe(401);
    expect((await response.text()).match(/name="file_ids"/g)).toHaveLength(100);
  });

  it.each([
    ["a name that no form of ours has", "file_name=typed.py&text=typed&another=1"],
    ["one name twice", "file_name=typed.py&text=typed&text=typed"],
    ["more chosen files than a list has", `text=typed&${times(101, () => "file_ids=x").join("&")}`],
    ["too many fields", "text=typed&".repeat(201)],
  ])("is not handed back with %s", async (_, body) => {
    const response = await web.visitor().page("/upload", {
      method: "POST",
      body,
      headers: { "Content-Type": URL_ENCODED, "Sec-Fetch-Site": "same-origin" },
    });
    expect(response.status).toBe(302);
    expect(response.headers.get("Location")).toBe("/login?next=%2Fupload");
    expect(await response.text()).not.toContain("typed");
  });

  it("is known by the names of the forms there are", async () => {
    const names = new Set<string>();
    for await (const path of glob("app/**/*form.server.ts", { cwd: PROJECT_ROOT })) {
      const module: Record<string, unknown> = await import(join(PROJECT_ROOT, path));
      for (const [exported, schema] of Object.entries(module))
        if (/form$/i.test(exported)) for (const field of fieldNames(schema)) names.add(field);
    }
    expect(names).toContain("file_ids");
    expect(
      [...names].filter((field) => !FIELD_NAMES.has(field) && !Object.hasOwn(LIST_NAMES, field)),
    ).toEqual([]);
  });
});

function fieldNames(schema: unknown): string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(fieldNames);
  return schema instanceof z.ZodPipe ? [...fieldNames(schema.in), ...fieldNames(schema.out)] : [];
}

describe("a JSON body", () => {
  const send = async (body: string) => {
    const dana = await web.person("51");
    return dana.ask("/api/sticky-notes/batch", { method: "POST", body });
  };
  const updates = (list: string) => `{"updates":[${list}]}`;

  it("is read with as many values as a caller of ours sends", async () => {
    expect((await send(updates('{"id":"x","content":"]],[[\\"{{"}'))).status).toBe(200);
  });

  it.each([
    ["values", updates(`${"0,".repeat(50_000)}0`)],
    ["levels", updates(`${"[".repeat(65)}${"]".repeat(65)}`)],
  ])("is refused for too many %s before any is made", async (_, body) => {
    const response = await send(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ message: expect.stringContaining("too many values") });
  });
});

it("an address too long to come back to leads to the login with its path alone", async () => {
  const asked = (words: string) => web.visitor().page(`/files?q=${words}`);
  const next = async (words: string) => (await asked(words)).headers.get("Location");
  expect(await next("short")).toBe("/login?next=%2Ffiles%3Fq%3Dshort");
  expect(await next("x".repeat(3_000))).toBe("/login?next=%2Ffiles");
});
