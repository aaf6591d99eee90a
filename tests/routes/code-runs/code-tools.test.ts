import { beforeAll, describe, expect, it } from "vitest";
import { ADMIN_ID, openTestWeb, type Visitor } from "#tests/support/web.ts";

const web = await openTestWeb();
let dana: Visitor;
beforeAll(async () => {
  dana = await web.person("7");
});

const post = async (path: string, body: unknown, visitor = dana) => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = await visitor.ask(path, { method: "POST", body: text });
  return { status: response.status, body: await response.json() };
};

describe("POST /api/code/format", () => {
  it("puts code in order for anyone who is logged in", async () => {
    const { status, body } = await post("/api/code/format", { code: "x=1\n", language: "python" });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      formatted_code: "x = 1\n",
      diff: "--- before\n+++ after\n@@ -1 +1 @@\n-x=1\n+x = 1\n",
      has_changes: true,
      tool: "ruff",
    });
  });

  it("knows a language by its label and by the ending of its files", async () => {
    for (const language of ["JSX", "shell", " Py "])
      expect((await post("/api/code/format", { code: "a", language })).body).toMatchObject({ success: true });
  });

  it("says where code cannot be read", async () => {
    expect(await post("/api/code/format", { code: "x = = 1", language: "python" })).toMatchObject({
      status: 400,
      body: { success: false, error: "syntax_error", code: "syntax_error", line: 1, column: 5, tool: "ruff" },
    });
  });
});

describe("POST /api/code/check", () => {
  it("lists what is wrong, each with its place", async () => {
    const { status, body } = await post("/api/code/check", { code: "import os\n", language: "python" });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      issues: [
        {
          line: 1,
          column: 8,
          code: "F401",
          message: "`os` imported but unused",
          severity: "warning",
          fixable: true,
        },
      ],
    });
  });
});

describe.each(["/api/code/format", "/api/code/check"])("%s refuses", (path) => {
  it("a language without a tool, and names those that have one", async () => {
    for (const language of ["cobol", "rust", undefined, 7]) {
      const { status, body } = await post(path, { code: "x", language });
      expect(status).toBe(400);
      expect(body).toMatchObject({ success: false, error: "no_tool", code: "no_tool" });
      expect(body.supported).toEqual(expect.arrayContaining(["python", "javascript", "sql", "bash"]));
    }
  });

  it("code that is missing, blank or no text", async () => {
    for (const code of [undefined, " \n", 7, null])
      expect(await post(path, { code, language: "python" })).toMatchObject({
        status: 400,
        body: { success: false, error: "Missing code", code: "missing_code" },
      });
  });

  it("what is no JSON object", async () => {
    for (const body of ["{", "[]", "null", ""])
      expect(await post(path, body)).toMatchObject({
        status: 400,
        body: { success: false, error: "invalid_payload" },
      });
  });

  it("more than 500 KiB, however it is written", async () => {
    const max = 500 * 1024;
    const most = { code: `"""${"א".repeat((max - 8) / 2)}"""\n`, language: "python" };
    expect(Buffer.byteLength(most.code)).toBe(max - 1);
    for (const code of [`${most.code}\n\n`, "\u0001".repeat(max + 1), "a".repeat(7 * max)])
      expect(await post(path, { ...most, code })).toMatchObject({
        status: 413,
        body: { success: false, error: "payload_too_large", max },
      });
    expect((await post(path, most)).status).toBe(200);
  });

  it("whoever is not logged in, and any other method", async () => {
    expect(await post(path, { code: "x", language: "python" }, web.visitor())).toMatchObject({
      status: 401,
      body: { success: false, code: "auth_required", redirect: "/login" },
    });
    const response = await dana.ask(path);
    expect([response.status, response.headers.get("Allow")]).toEqual([405, "POST"]);
  });
});

describe("/tools/code", () => {
  const send = (fields: Record<string, string>, visitor = dana) => visitor.submit("/tools/code", fields);

  it("formats and checks by plain form and keeps the code that was typed", async () => {
    const checked = await send({ intent: "check", language: "python", text: "import os\r\n" });
    expect(checked.status).toBe(200);
    expect(await checked.text()).toContain("`os` imported but unused");
    const wrong = await send({ intent: "format", language: "python", text: "x = = 1 # kept" });
    expect(wrong.status).toBe(400);
    expect(await wrong.text()).toContain("x = = 1 # kept");
    const large = await send({ intent: "format", language: "python", text: "a".repeat(600 * 1024) });
    expect([large.status, await large.text()]).toMatchObject([
      413,
      expect.stringContaining("The limit is 500 KiB"),
    ]);
  });

  it("runs nothing for whoever may not, and nothing but Python", async () => {
    const barred = await send({ intent: "run", language: "python", text: "print(1)" });
    expect([barred.status, await barred.text()]).toMatchObject([403, expect.stringContaining("print(1)")]);
    const admin = await web.person(ADMIN_ID);
    const ruby = await send({ intent: "run", language: "bash", text: "echo kept" }, admin);
    expect([ruby.status, await ruby.text()]).toMatchObject([
      400,
      expect.stringContaining("Only Python, JavaScript and TypeScript can be run"),
    ]);
  });

  it("opens a file of one's own and nobody else's", async () => {
    const file_id = await dana.saveFile("mine.py", "print('mine')\n");
    expect((await dana.show(`/tools/code?file=${file_id}`)).html).toContain("mine&#x27;)");
    const other = await web.person("8");
    expect((await other.page(`/tools/code?file=${file_id}`)).status).toBe(404);
  });

  it("gives the code back to whoever was logged out meanwhile", async () => {
    const answer = await send(
      { intent: "format", language: "python", text: "precious = 1\n" },
      web.visitor(),
    );
    expect([answer.status, await answer.text()]).toMatchObject([
      401,
      expect.stringContaining("precious = 1"),
    ]);
  });
});
