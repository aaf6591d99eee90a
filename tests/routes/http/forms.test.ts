import { glob } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { FORM_FIELDS_MAX, parseForm } from "#app/web/door/form-fields.ts";
import { FIELD_NAMES, LIST_NAMES } from "#app/web/session/kept-form.server.ts";
import { BODY_MAX_BYTES } from "#domain/files/file.ts";
import { isRefusal } from "#domain/refusal.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { ABSENT_ID } from "#tests/support/given.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";
import { openTestWeb, refusal } from "#tests/support/web.ts";

const web = await openTestWeb();
const URL_ENCODED = "application/x-www-form-urlencoded";
const IN_PARTS = "multipart/form-data; boundary=cut";

const formPart = (name: string, value: string) =>
  `--cut\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const inParts = (...parts: string[]) => `${parts.join("")}--cut--\r\n`;
const parse = (body: string | Uint8Array, type: string) => parseForm(Buffer.from(body as string), type);
const times = (count: number, text: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => text(n));

type Read = [name: string, value: string, fileName: string | null];

async function readOurs(body: BodyInit): Promise<Read[]> {
  const sent = new Response(body);
  const fields = orThrow(parseForm(await sent.bytes(), sent.headers.get("Content-Type") ?? ""));
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
    ["parts", IN_PARTS, (count: number) => inParts(...times(count, (n) => formPart(`a${n}`, "1")))],
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
    ["parts without a boundary", inParts(formPart("a", "1")), "multipart/form-data"],
    ["a boundary that is too long", "", `multipart/form-data; boundary=${"x".repeat(71)}`],
    ["a form that was cut", formPart("a", "1"), IN_PARTS],
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
    expect(parse(inParts(formPart("text", long)), IN_PARTS)).toEqual(expected);
  });
});

it.each([
  ["en", "The limit is 200"],
  ["he", "המגבלה היא 200"],
])("a page with too many fields says so to a person, in %s", async (language, words) => {
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

it("a zip to import that is sent with too many fields is refused", async () => {
  const dana = await web.person();
  const send = (parts: number) =>
    dana.send("POST", "/settings/export", inParts(...times(parts, () => formPart("a", ""))), {
      "Content-Type": IN_PARTS,
    });
  expect((await send(FORM_FIELDS_MAX)).body).toMatchObject({ code: "no_zip" });
  const refused = await send(FORM_FIELDS_MAX + 1);
  expect(refused).toMatchObject(refusal(413, "too_many_fields", { max: 200 }));
});

describe("a form that is sent after its session has ended", () => {
  const typed = { file_name: "typed.py", text: "print('typed')\nand more", tags: "one" };

  const HERE = "Your text is still here.";
  const submit = async (path: string, fields: Record<string, string>) =>
    (await web.visitor().submit(path, fields)).text();

  it("does not mention a text if none was typed, nor takes a link's parameters for one", async () => {
    const run = { intent: "run", version: "1", timeout: "5", stdin: "", args: "", keep: "1" };
    const link = { form_key: "k", content: "full", lines: "", lifetime: "7", max_views: "", password: "" };
    const shared = await submit(`/file/${ABSENT_ID}/share`, link);
    for (const page of [shared, await submit(`/file/${ABSENT_ID}`, run)]) {
      expect(page).toContain("Log in from a new tab, then send again.");
      expect(page).not.toContain(HERE);
    }
    expect(shared).toMatch(/name="content" value="full"/);
    expect(await submit(`/file/${ABSENT_ID}`, { ...run, stdin: "Dana" })).toContain(HERE);
    expect(await submit("/notes/new", { content: "full" })).toContain(HERE);
  });

  it("comes back whole to a person who had a session; a stranger's long one does not", async () => {
    const long = new FormData();
    for (const [name, value] of Object.entries({ ...typed, text: `long text${" ".repeat(100_000)}` }))
      long.append(name, value);
    const person = await web.person("71");
    const cookies = [...person.cookies];
    await person.ask("/logout");
    for (const [name, value] of cookies) person.cookies.set(name, value);

    const refused = await person.press("/upload", long);
    const forgotten = await web.visitor().press("/upload", long);

    expect(refused.status).toBe(401);
    expect(refused.html).toContain("long text");
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

  it("is recognised by the names of existing forms", async () => {
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
  const updates = (list: string) => `{"updates":[${list}]}`;

  it.each([
    ["read with as many values as a caller of ours sends", updates('{"id":"x","content":"]],[[\\"{{"}'), 200],
    ["refused for too many values", updates(`${"0,".repeat(50_000)}0`), 400],
    ["refused for too many levels", updates(`${"[".repeat(65)}${"]".repeat(65)}`), 400],
  ])("is %s before it is parsed", async (_, body, status) => {
    const answer = await (await web.person()).send("POST", "/api/sticky-notes/batch", body);
    expect(answer.status).toBe(status);
    if (status === 400) expect(answer.body.message).toContain("too many values");
  });
});

it("an address too long to come back to leads to the login with its path alone", async () => {
  const search = (words: string) => web.visitor().page(`/files?q=${words}`);
  const next = async (words: string) => (await search(words)).headers.get("Location");
  expect(await next("short")).toBe("/login?next=%2Ffiles%3Fq%3Dshort");
  expect(await next("x".repeat(3_000))).toBe("/login?next=%2Ffiles");
});
