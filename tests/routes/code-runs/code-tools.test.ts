import { describe, expect, it } from "vitest";
import { ADMIN_ID, openTestWeb } from "#tests/support/web.ts";

const web = await openTestWeb();
const dana = await web.person();

describe("POST /api/code/format", () => {
  const format = (body: object) => dana.send("POST", "/api/code/format", body);

  it("formats code for anyone who is logged in", async () => {
    expect(await format({ code: "x=1\n", language: "python" })).toMatchObject({
      status: 200,
      body: {
        success: true,
        formatted_code: "x = 1\n",
        diff: "--- before\n+++ after\n@@ -1 +1 @@\n-x=1\n+x = 1\n",
        has_changes: true,
        tool: "ruff",
      },
    });
  });

  it("knows a language by its label and by the ending of its files", async () => {
    for (const language of ["JSX", "shell", " Py "])
      expect((await format({ code: "a", language })).body).toMatchObject({ success: true });
  });

  it("gives the position of invalid code", async () => {
    const position = { line: 1, column: 5, tool: "ruff" };
    expect(await format({ code: "x = = 1", language: "python" })).toMatchObject({
      status: 400,
      body: { success: false, error: "syntax_error", code: "syntax_error", ...position },
    });
  });
});

it("POST /api/code/check lists what is wrong, each with its place", async () => {
  const answer = await dana.send("POST", "/api/code/check", { code: "import os\n", language: "python" });
  const message = "`os` imported but unused";
  const issue = { line: 1, column: 8, code: "F401", message, severity: "warning", fixable: true };
  expect(answer).toMatchObject({ status: 200, body: { success: true, issues: [issue] } });
});

describe.each(["/api/code/format", "/api/code/check"])("%s", (path) => {
  it.each<[string, object, string, string]>([
    ["a language without a tool", { code: "x", language: "cobol" }, "no_tool", "no_tool"],
    ["blank code", { code: " \n", language: "python" }, "Missing code", "missing_code"],
  ])("refuses %s", async (_, fields, error, code) => {
    const refused = await dana.send("POST", path, fields);
    expect(refused).toMatchObject({ status: 400, body: { success: false, error, code } });
    if (error === "no_tool")
      expect(refused.body.supported).toEqual(expect.arrayContaining(["python", "javascript", "sql", "bash"]));
  });
});

describe("/tools/code", () => {
  const submit = (fields: Record<string, string>, visitor = dana) => visitor.submit("/tools/code", fields);

  it.each([
    ["what is wrong", { intent: "check", text: "import os\r\n" }, 200, "`os` imported but unused"],
    [
      "the code that cannot be formatted",
      { intent: "format", text: "x = = 1 # typed" },
      400,
      "x = = 1 # typed",
    ],
    [
      "that code is too long",
      { intent: "format", text: "a".repeat(600 * 1024) },
      413,
      "The limit is 500 KiB",
    ],
    ["the code that its person may not run", { intent: "run", text: "print(1)" }, 403, "print(1)"],
  ])("answers a plain form with %s", async (_, fields, status, words) => {
    const answer = await submit({ language: "python", ...fields });
    expect(answer.status).toBe(status);
    expect(await answer.text()).toContain(words);
  });

  it("runs no language but Python, JavaScript and TypeScript", async () => {
    const admin = await web.person(ADMIN_ID);
    const answer = await submit({ intent: "run", language: "bash", text: "echo 1" }, admin);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("Only Python, JavaScript and TypeScript can be run");
  });

  it("opens the person's own files only", async () => {
    const { id } = await web.given.file(dana.id, "mine.py", "print('mine')\n");
    expect((await dana.show(`/tools/code?file=${id}`)).html).toContain("mine&#x27;)");
    expect((await (await web.person()).show(`/tools/code?file=${id}`)).status).toBe(404);
  });

  it("gives the code back to a person who was logged out meanwhile", async () => {
    const form = { intent: "format", language: "python", text: "precious = 1\n" };
    const answer = await submit(form, web.visitor());
    expect(answer.status).toBe(401);
    expect(await answer.text()).toContain("precious = 1");
  });
});
